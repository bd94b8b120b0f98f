import { workerStatement } from '@signalbox/database';

export const COMPANIES_WITH_RULES = workerStatement(
  { index: 'tag_rules_name' },
  'SELECT DISTINCT company_id FROM traffic.tag_rules WHERE enabled AND apply_to_new AND deleted_at IS NULL',
);

export const COMPANIES_WITH_SENTINELS = workerStatement(
  { index: 'sentinels_name' },
  `SELECT DISTINCT company_id FROM traffic.sentinels WHERE state = 'ENABLED' AND deleted_at IS NULL`,
);
