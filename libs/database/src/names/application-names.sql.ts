import { perSchema, txStatement } from '../statement.js';

export const APPLICATION_NAMES = perSchema('application_names', (names) => ({
  rename: txStatement(
    { index: 'application_names_pkey' },
    `INSERT INTO ${names} AS n (company_id, application_id, application_name, date_updated)
     VALUES ($1, $2, $3, $4)
     ON CONFLICT (company_id, application_id) DO UPDATE
       SET application_name = CASE WHEN n.date_updated <= EXCLUDED.date_updated
           THEN EXCLUDED.application_name ELSE n.application_name END,
         date_updated = GREATEST(n.date_updated, EXCLUDED.date_updated)
     RETURNING deleted`,
  ),
  remove: txStatement(
    { index: 'application_names_pkey' },
    `INSERT INTO ${names} AS n (company_id, application_id, application_name, date_updated, deleted)
     VALUES ($1, $2, '', 0, true)
     ON CONFLICT (company_id, application_id) DO UPDATE SET deleted = true`,
  ),
}));
