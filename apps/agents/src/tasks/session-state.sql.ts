import { txStatement } from '@signalbox/database';

export const ADD_TO_STATE = txStatement(
  { index: 'sessions_pkey' },
  `UPDATE agents.sessions SET state = state || $3::jsonb, date_updated = $4 WHERE company_id = $1 AND id = $2
   RETURNING octet_length(state::text) AS size`,
);
