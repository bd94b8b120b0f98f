import { workerStatement } from '@signalbox/database';

export const FORMER_PEPPERS = workerStatement(
  { index: null },
  'SELECT key_id, sealed FROM accounts.former_peppers ORDER BY date_created DESC, key_id',
);
