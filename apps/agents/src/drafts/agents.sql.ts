import { readStatement, txStatement, type View } from '@signalbox/database';
import { AGENT_FIELDS } from './agent-snapshot.js';
import { ACTION_FIELDS_SQL } from './parts/action-view.sql.js';
import { partsOfAgent } from './parts/ordered-child.sql.js';
import { LINKS } from './parts/link.part.js';
import { ROUTING_SQL } from './parts/rule.part.js';
import { FORM_FIELDS } from './parts/form-field.part.js';

export const TASKS = 500;

const OF_AGENT = 'a.company_id = t.company_id AND a.agent_id = t.id';

const named = (json: string): string =>
  `jsonb_path_exists(${json}, '$.**.model ? (@ == $model)', jsonb_build_object('model', $2::text))`;

export const view: View = {
  resource: 'agent',
  table: 'agents.agents',
  columns: ['id', 'application_id', 'kind', 'status', ...AGENT_FIELDS, 'mcp_servers', 'date_created', 'date_updated'],
  computed: {
    application_name: `(SELECT n.application_name FROM agents.application_names n
      WHERE n.company_id = t.company_id AND n.application_id = t.application_id)`,
    action_count: `(SELECT count(*)::int FROM agents.actions a WHERE ${OF_AGENT} AND a.deleted_at IS NULL)`,
    sub_agent_count: `(SELECT count(*)::int FROM agents.sub_agents a WHERE ${OF_AGENT} AND a.deleted_at IS NULL)`,
    latest_version: `(SELECT a.version_number FROM agents.agent_versions a WHERE ${OF_AGENT} AND a.is_latest)`,
    has_unpublished_changes: `t.kind = 'HOSTED' AND t.draft_hash IS DISTINCT FROM t.published_hash`,
  },
  detail: {
    actions: `COALESCE((SELECT json_agg(row_to_json(f) ORDER BY f.id) FROM (
      SELECT ${ACTION_FIELDS_SQL} FROM agents.actions a WHERE ${OF_AGENT} AND a.deleted_at IS NULL) f), '[]'::json)`,
    sub_agents: partsOfAgent(LINKS),
    routing: ROUTING_SQL,
    form_fields: partsOfAgent(FORM_FIELDS),
  },
  filters: {
    application_id: 't.application_id = ?',
    kind: 't.kind = ANY(?::text[])',
    status: 't.status = ANY(?::text[])',
    execution_mode: 't.execution_mode = ANY(?::text[])',
    model: 't.model = ANY(?::text[])',
  },
  search: ['t.agent_name', 't.description'],
  sort: { agent_name: 't.agent_name', status: 't.status' },
  large: ['system_prompt', 'strategy_prompt_addendum'],
};

export const KIND_OF_AGENT = readStatement(
  { index: 'agents_pkey' },
  `SELECT a.* FROM s, LATERAL (SELECT t.kind FROM agents.agents t
   WHERE t.company_id = s.company AND t.id = $2 AND t.deleted_at IS NULL OFFSET 0) a`,
);

export const FIND_AGENT = readStatement(
  { index: 'agents_pkey' },
  `SELECT a.* FROM s, LATERAL (SELECT 1 FROM agents.agents t
   WHERE t.company_id = s.company AND t.id = $2 AND t.deleted_at IS NULL OFFSET 0) a`,
);

export const UNBIND_TASKS = txStatement(
  { index: 'tasks_pkey' },
  `UPDATE agents.tasks SET application_id = NULL WHERE company_id = $1 AND id = ANY (ARRAY(
   SELECT id FROM agents.tasks WHERE company_id = $1 AND application_id = $2 AND completed_at IS NULL
   ORDER BY id LIMIT ${TASKS} FOR NO KEY UPDATE)) RETURNING 1`,
);

export const AGENTS_NAMED = readStatement(
  { index: 'agents_name' },
  `SELECT x.* FROM s, LATERAL (SELECT t.id, t.application_id FROM agents.agents t
   WHERE t.company_id = s.company AND t.agent_name = $2 AND t.deleted_at IS NULL ORDER BY t.id LIMIT 100 OFFSET 0) x`,
);

export const AGENTS_WITH_WORKFLOW = readStatement(
  { index: ['actions_name', 'agents_pkey'] },
  `SELECT x.* FROM s, LATERAL (SELECT DISTINCT a.agent_id FROM agents.actions a
   JOIN agents.agents t ON ${OF_AGENT} AND t.deleted_at IS NULL
   WHERE a.company_id = s.company AND a.deleted_at IS NULL AND a.action_type = 'maitai_workflow'
     AND (a.action_config->>'workflow_id')::int = $2 ORDER BY a.agent_id OFFSET 0) x`,
);

export const COUNT_USES_OF_MODEL = readStatement(
  { index: ['actions_name', 'agent_versions_company_id_agent_id_version_number_key', 'agents_pkey'] },
  `SELECT x.* FROM s, LATERAL (SELECT count(*)::int AS agents FROM agents.agents t
   WHERE t.company_id = s.company AND t.deleted_at IS NULL AND (t.model = $2 OR ${named('t.agent_config')}
     OR EXISTS (SELECT 1 FROM agents.actions a WHERE ${OF_AGENT} AND a.deleted_at IS NULL AND ${named('a.action_config')})
     OR EXISTS (SELECT 1 FROM agents.agent_versions a WHERE ${OF_AGENT}
       AND CASE WHEN a.models IS NULL THEN ${named('a.snapshot')} ELSE a.models ? $2::text END)) OFFSET 0) x`,
);
