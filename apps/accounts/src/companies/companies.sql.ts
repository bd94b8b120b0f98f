import { NOW_MS, readStatement, txStatement, workerStatement, type View } from '@signalbox/database';

export const view: View = {
  resource: 'company',
  table: 'accounts.companies',
  columns: ['id', 'name', 'settings', 'date_created', 'date_updated'],
};

export const ADD_COMPANY = workerStatement(
  { index: null },
  `INSERT INTO accounts.companies (name, settings) VALUES ($1, $2) RETURNING id`,
);

export const ALL_COMPANIES = workerStatement(
  { index: 'companies_pkey' },
  `SELECT id AS company_id, name, egress_allow, date_created FROM accounts.companies WHERE deleted_at IS NULL ORDER BY id`,
);

export const PROFILE_OF_COMPANY = readStatement(
  { index: 'companies_company_id_id_key' },
  `SELECT c.* FROM s, LATERAL (SELECT * FROM accounts.companies t WHERE t.company_id = s.company AND t.deleted_at IS NULL OFFSET 0) c`,
);

export const SET_EGRESS_ALLOW = txStatement(
  { index: 'companies_company_id_id_key' },
  `UPDATE accounts.companies SET egress_allow = $2, date_updated = GREATEST(${NOW_MS}, date_updated + 1)
   WHERE company_id = $1`,
);
