import { txStatement } from '@signalbox/database';

export const MARK_CORRECTED = txStatement(
  { index: 'requests_pkey' },
  `UPDATE traffic.requests SET correction_applied = true
   WHERE company_id = $1 AND request_id = $2 AND date_created = $3`,
);
