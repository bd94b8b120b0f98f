import { txStatement, readStatement } from '@signalbox/database';
import { ACTION_FIELDS } from '../drafts/index.js';

const NEW_ROWS = `jsonb_to_recordset($3::jsonb) AS n(id int, action_name text, action_type text, description text,
  enabled boolean, action_config jsonb, meta jsonb, is_default boolean, action_result_type text, invocation_mode text)`;

const NAMED = `NOT EXISTS (SELECT 1 FROM agents.actions o WHERE o.company_id = $1 AND o.agent_id = $2
  AND o.deleted_at IS NULL AND o.action_name = n.action_name)`;

const ASSIGNED = ACTION_FIELDS.map((field) => `${field} = n.${field}`).join(', ');

export const AGENT_OF_ACTION = txStatement(
  { index: 'actions_pkey' },
  'SELECT agent_id FROM agents.actions WHERE company_id = $1 AND id = $2',
);

export const LOCK_AGENT = txStatement(
  { index: 'agents_pkey' },
  'SELECT 1 FROM agents.agents WHERE company_id = $1 AND id = $2 AND deleted_at IS NULL FOR NO KEY UPDATE',
);

export const LOCK_AGENT_OF_ACTION = txStatement(
  { index: ['actions_pkey', 'agents_pkey'] },
  `SELECT 1 FROM agents.agents WHERE company_id = $1
   AND id = (SELECT agent_id FROM agents.actions WHERE company_id = $1 AND id = $2) FOR NO KEY UPDATE`,
);

export const ACTION_TO_TEST = readStatement(
  { index: ['actions_pkey', 'agents_pkey'] },
  `SELECT x.* FROM s, LATERAL (SELECT t.id, t.action_name, t.action_type, t.description, t.enabled, t.action_config,
     t.meta, t.is_default, t.action_result_type, t.invocation_mode, a.base_url, a.model, a.application_id
   FROM agents.actions t JOIN agents.agents a ON a.company_id = t.company_id AND a.id = t.agent_id
   WHERE t.company_id = s.company AND t.id = $2 AND t.deleted_at IS NULL AND a.deleted_at IS NULL OFFSET 0) x`,
);

export const DEFAULT_ACTION = txStatement(
  { index: 'actions_default' },
  'SELECT id FROM agents.actions WHERE company_id = $1 AND agent_id = $2 AND is_default AND deleted_at IS NULL',
);

export const DELETE_ACTIONS = txStatement(
  { index: 'actions_name' },
  `UPDATE agents.actions SET deleted_at = $3, is_default = false
   WHERE company_id = $1 AND agent_id = $2 AND deleted_at IS NULL`,
);

export const RETIRE_ACTIONS = txStatement(
  { index: 'actions_name' },
  `UPDATE agents.actions a SET is_default = false,
     deleted_at = CASE WHEN EXISTS (SELECT 1 FROM ${NEW_ROWS} WHERE n.action_name = a.action_name) THEN NULL ELSE $4::bigint END
   WHERE a.company_id = $1 AND a.agent_id = $2 AND a.deleted_at IS NULL`,
);

export const UPDATE_ACTIONS = txStatement(
  { index: 'actions_name' },
  `UPDATE agents.actions a SET ${ASSIGNED}, date_updated = $4 FROM ${NEW_ROWS}
   WHERE a.company_id = $1 AND a.agent_id = $2 AND a.deleted_at IS NULL AND a.action_name = n.action_name`,
);

export const RESTORE_ACTIONS = txStatement(
  { index: ['actions_name', 'actions_pkey'] },
  `UPDATE agents.actions a SET ${ASSIGNED}, date_updated = $4, deleted_at = NULL FROM ${NEW_ROWS}
   WHERE a.company_id = $1 AND a.agent_id = $2 AND a.deleted_at IS NOT NULL AND a.id = n.id AND ${NAMED}`,
);

export const INSERT_ACTIONS = txStatement(
  { index: 'actions_name' },
  `INSERT INTO agents.actions (company_id, agent_id, ${ACTION_FIELDS.join(', ')})
   SELECT $1, $2, ${ACTION_FIELDS.map((field) => `n.${field}`).join(', ')} FROM ${NEW_ROWS} WHERE ${NAMED} ORDER BY n.id`,
);
