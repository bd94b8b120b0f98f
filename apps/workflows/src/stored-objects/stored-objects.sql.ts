import { workerStatement } from '@signalbox/database';

export const BEGIN_SWEEP = workerStatement(
  { index: null },
  'UPDATE workflows.object_sweep SET began_at = $2 WHERE began_at <= $1 RETURNING 1',
);
