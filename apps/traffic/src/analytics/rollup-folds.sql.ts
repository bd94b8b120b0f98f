import { companiesWith, workerStatement } from '@signalbox/database';

export const COMPANIES_WITH_CHANGES = workerStatement(
  { index: 'rollup_changes_pkey' },
  companiesWith('traffic.rollup_changes', 'true'),
);
