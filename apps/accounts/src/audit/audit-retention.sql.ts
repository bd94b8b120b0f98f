import { workerStatement } from '@signalbox/database';

/** Rows per statement. */
export const SLICE = 1000;

export const COMPANY_IDS = workerStatement(
  { index: 'companies_company_id_id_key' },
  'SELECT id FROM accounts.companies ORDER BY id',
);

export const DELETE_OLD_ENTRIES = workerStatement(
  { index: ['audit_log_pkey', 'audit_log_time'] },
  `DELETE FROM accounts.audit_log WHERE company_id = $1 AND id = ANY (ARRAY(SELECT id FROM accounts.audit_log
   WHERE company_id = $1 AND date_created < $2 ORDER BY date_created LIMIT ${SLICE})) RETURNING id`,
);
