import { txStatement } from '@signalbox/database';

export const OPEN_SESSION = txStatement(
  { index: 'sessions_key' },
  `INSERT INTO agents.sessions AS t (company_id, agent_id, session_id, state) VALUES ($1, $2, $3, $4::jsonb || $5::jsonb)
   ON CONFLICT (company_id, agent_id, session_id) WHERE deleted_at IS NULL
     DO UPDATE SET last_activity = EXCLUDED.last_activity, state = $4::jsonb || t.state || $5::jsonb
   RETURNING id, octet_length(state::text) AS size, t.xmax = 0 AS is_new`,
);

export const OPEN_TASK_OF_SESSION = txStatement(
  { index: 'tasks_open_of_session' },
  `SELECT 1 AS open FROM agents.tasks WHERE company_id = $1 AND session_no = $2 AND depth >= $3
   AND parent_task_id IS NULL AND completed_at IS NULL LIMIT 1`,
);
