/** The resource that is read, as every side of the comparison needs it. */
export interface Resource {
  service: string;
  /** Path of a resource under the API's root, up to its id. */
  path: string;
  /** Statements that give company `$1` rows `1 … $2`. */
  seed: string[];
  table: string;
  /** The service's own select list, which base A runs as one prepared point read. */
  fields: string;
  /** Text of the reply for an id. */
  expect: string;
  /** A module that the gateway loads before its own. */
  preload?: string;
}

const columns = (...names: string[]): string[] => names.map((name) => `t."${name}"`);

const ONE_AGENT = [
  `INSERT INTO agents.application_names (company_id, application_id, application_name, date_updated)
   SELECT $1::int, 1, 'application of ' || $2::int || ' rows', 0`,
  `INSERT INTO agents.agents (company_id, application_id, agent_name, status, execution_mode, max_iterations)
   SELECT $1::int, 1, 'agent of ' || $2::int || ' actions', 'ENABLED', 'reasoning', 10`,
];

/** An action of an agent: one plain row, the same for all sides. */
export const action: Resource = {
  service: 'agents',
  path: '/agents/actions/',
  table: 'agents.actions',
  fields: [
    ...columns(
      'id',
      'agent_id',
      'action_name',
      'action_type',
      'description',
      'enabled',
      'action_config',
      'meta',
      'is_default',
      'action_result_type',
      'invocation_mode',
    ),
    `to_char(to_timestamp(t.date_created / 1000.0) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS date_created`,
    `CASE WHEN t.enabled THEN 'ENABLED' ELSE 'DISABLED' END AS status`,
  ].join(', '),
  seed: [
    ...ONE_AGENT,
    `INSERT INTO agents.actions (company_id, agent_id, action_name, action_type, description, enabled, action_config,
       meta, is_default, action_result_type, invocation_mode)
     SELECT $1::int, a.id, 'action_' || n, 'api', 'What action ' || n || ' is for, in a sentence or two.', true,
       jsonb_build_object('endpoint', 'https://api.example.com/orders', 'method', 'GET'),
       jsonb_build_object('team', 'team ' || n % 20), false, 'gather_info', 'foreground'
     FROM agents.agents a, generate_series(1, $2::int) n WHERE a.company_id = $1`,
  ],
  expect: '{"data":{"id":{id},"agent_id":',
};

const OF_AGENT = 'a.company_id = t.company_id AND a.agent_id = t.id';

const partsSql = (table: string): string =>
  `COALESCE((SELECT json_agg(row_to_json(f) ORDER BY f.position) FROM (
    SELECT a.id, a.position FROM agents.${table} a WHERE ${OF_AGENT} AND a.deleted_at IS NULL) f), '[]'::json)`;

/** An agent with its parts: a row and eight look-ups. */
export const agent: Resource = {
  service: 'agents',
  path: '/agents/',
  table: 'agents.agents',
  fields: [
    ...columns(
      'id',
      'application_id',
      'agent_name',
      'description',
      'kind',
      'status',
      'execution_mode',
      'model',
      'system_prompt',
      'strategy_prompt_addendum',
      'agent_config',
      'max_iterations',
      'max_cost',
      'response_format',
      'base_url',
      'meta',
      'mcp_servers',
      'date_created',
      'date_updated',
    ),
    `(SELECT n.application_name FROM agents.application_names n
      WHERE n.company_id = t.company_id AND n.application_id = t.application_id) AS application_name`,
    `(SELECT count(*)::int FROM agents.actions a WHERE ${OF_AGENT} AND a.deleted_at IS NULL) AS action_count`,
    `(SELECT count(*)::int FROM agents.sub_agents a WHERE ${OF_AGENT} AND a.deleted_at IS NULL) AS sub_agent_count`,
    `(SELECT a.version_number FROM agents.agent_versions a WHERE ${OF_AGENT} AND a.is_latest) AS latest_version`,
    't.draft_hash IS DISTINCT FROM t.published_hash AS has_unpublished_changes',
    `COALESCE((SELECT json_agg(row_to_json(f) ORDER BY f.id) FROM (
      SELECT a.id FROM agents.actions a WHERE ${OF_AGENT} AND a.deleted_at IS NULL) f), '[]'::json) AS actions`,
    `${partsSql('sub_agents')} AS sub_agents`,
    `json_build_object('config', t.routing, 'rules', ${partsSql('routing_rules')}) AS routing`,
    `${partsSql('form_fields')} AS form_fields`,
  ].join(', '),
  seed: [
    `INSERT INTO agents.application_names (company_id, application_id, application_name, date_updated)
     SELECT $1::int, 1, 'application of ' || $2::int || ' agents', 0`,
    `INSERT INTO agents.agents (company_id, application_id, agent_name, description, status, execution_mode, system_prompt, max_iterations)
     SELECT $1::int, 1, 'agent ' || n, 'What agent ' || n || ' is for, in a sentence or two.', 'ENABLED', 'reasoning',
       'You are the agent of team ' || n || '. Answer in one sentence, and say so when you do not know.', 10
     FROM generate_series(1, $2::int) n`,
  ],
  expect: '{"data":{"id":{id},"application_id":1,',
};

/** A read that the gateway serves without the bus (`bases/constant-answer.ts`): only its own cost remains. */
export const constant: Resource = {
  ...action,
  expect: '{"data":{"constant":true,',
  preload: new URL('../bases/constant-answer.js', import.meta.url).href,
};
