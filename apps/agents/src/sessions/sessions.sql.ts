import { readStatement, txStatement, type View } from '@signalbox/database';

export const sessionView: View = {
  resource: 'session',
  table: 'agents.sessions',
  columns: [
    'session_id',
    'agent_id',
    'state',
    'feedback_score',
    'feedback_text',
    'last_activity',
    'date_created',
    'date_updated',
  ],
  computed: {
    task_count: '(SELECT count(*)::int FROM agents.tasks k WHERE k.company_id = t.company_id AND k.session_no = t.id)',
  },
  filters: { agent_id: 't.agent_id = ?' },
  search: ['t.session_id'],
  sort: { last_activity: 't.last_activity', session_id: 't.session_id' },
};

const COLUMNS = 't.id, t.session_id, t.state, t.feedback_score, t.feedback_text, t.feedback_key_id, t.feedback_at';

const BY_SESSION_ID = 't.agent_id = $2 AND t.session_id = $3 AND t.deleted_at IS NULL';

export const FIND_SESSION = readStatement(
  { index: 'sessions_key' },
  `SELECT x.* FROM s, LATERAL (SELECT ${COLUMNS} FROM agents.sessions t
   WHERE t.company_id = s.company AND ${BY_SESSION_ID} OFFSET 0) x`,
);

export const DELETE_SESSION = txStatement(
  { index: 'sessions_pkey' },
  'UPDATE agents.sessions SET deleted_at = $3, feedback_text = NULL WHERE company_id = $1 AND id = $2',
);

export const LOCK_SESSION = txStatement(
  { index: 'sessions_key' },
  `SELECT ${COLUMNS} FROM agents.sessions t WHERE t.company_id = $1 AND ${BY_SESSION_ID} FOR UPDATE`,
);
