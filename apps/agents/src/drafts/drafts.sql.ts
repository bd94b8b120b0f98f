import { draftStatements, txStatement } from '@signalbox/database';
import { AGENT_FIELDS, ACTION_FIELDS } from './agent-snapshot.js';
import { LINKS } from './parts/link.part.js';
import { RULES } from './parts/rule.part.js';
import { FORM_FIELDS } from './parts/form-field.part.js';
import { MCP_SERVERS, MCP_HEADERS } from './parts/mcp-server-parts.sql.js';
import type { OrderedChild } from './parts/ordered-child.js';

const pairs = (fields: readonly string[], alias: string): string =>
  fields.map((field) => `'${field}', ${alias}."${field}"`).join(', ');

const listSql = (table: string, object: string, order: string): string =>
  `COALESCE((SELECT jsonb_agg(${object} ORDER BY a.${order}) FROM ${table} a
     WHERE a.company_id = t.company_id AND a.agent_id = t.id AND a.deleted_at IS NULL), '[]')`;

const objectSql = (fields: readonly string[]): string => `jsonb_build_object(${pairs(fields, 'a')})`;

const orderedSql = ({ view, columns }: OrderedChild, more: string[] = []): string =>
  listSql(view.table, objectSql([...more, ...columns, 'position']), 'position');

/** Names the action instead of its id. */
const namedRoute = (route: string): string =>
  `(${route} - 'action_id' || jsonb_build_object('action', (SELECT x.action_name FROM agents.actions x
      WHERE x.company_id = t.company_id AND x.id = (${route}->>'action_id')::int)))`;

export const DRAFT_SNAPSHOT = `jsonb_build_object(${pairs([...AGENT_FIELDS, 'routing'], 't')},
  'actions', ${listSql('agents.actions', objectSql(['id', ...ACTION_FIELDS]), 'id')},
  'sub_agents', ${orderedSql(LINKS, ['id'])},
  'routing_rules', ${orderedSql(RULES, ['id'])},
  'form_fields', ${orderedSql(FORM_FIELDS, ['id'])},
  'mcp_servers', ${MCP_SERVERS})`;

/** Of a statement that finds an agent by its id and reads `DRAFT_SNAPSHOT`. */
export const DRAFT_INDEXES = [
  'actions_name',
  'agents_pkey',
  'form_fields_position',
  'mcp_servers_pkey',
  'routing_rules_position',
  'sub_agents_position',
];

export const DRAFT_STATEMENTS = draftStatements({ index: DRAFT_INDEXES }, 'agents.agents', DRAFT_SNAPSHOT);

/** Only these, because those of a whole family of agents must fit into memory. */
export const secretFields = (enabled: string, config: string): string =>
  `jsonb_build_object('enabled', ${enabled}, 'action_config',
    jsonb_build_object('auth', ${config}->'auth', 'headers', ${config}->'headers'))`;

export const LINKED_PARTS = `jsonb_build_object('agent_name', t.agent_name, 'description', t.description,
  'actions', ${listSql('agents.actions', secretFields('a.enabled', 'a.action_config'), 'id')},
  'sub_agents', ${orderedSql(LINKS, ['id'])}, 'mcp_servers', ${MCP_HEADERS})`;

// Without ids of parts: an action that was deleted and created again with the same fields is no change. Without servers
// a draft has the hash that it had before agents could use servers.
const CANONICAL_DRAFT = `jsonb_build_object(${pairs(AGENT_FIELDS, 't')},
  'actions', ${listSql('agents.actions', objectSql(ACTION_FIELDS), 'action_name')},
  'sub_agents', ${orderedSql(LINKS)},
  'routing', jsonb_set(t.routing, '{default}', ${namedRoute(`(t.routing->'default')`)}),
  'routing_rules', ${listSql(RULES.view.table, `${objectSql(RULES.columns)} || jsonb_build_object('route', ${namedRoute('a.route')})`, 'position')},
  'form_fields', ${orderedSql(FORM_FIELDS)})
  || CASE WHEN cardinality(t.mcp_servers) = 0 THEN '{}'::jsonb
    ELSE jsonb_build_object('mcp_servers', to_jsonb(t.mcp_servers)) END`;

const MEASURED = `(SELECT encode(sha256(convert_to(e::text, 'UTF8')), 'hex') AS hash, jsonb_build_object(
    'actions', jsonb_array_length(e->'actions'), 'sub_agents', jsonb_array_length(e->'sub_agents'),
    'routing_rules', jsonb_array_length(e->'routing_rules'), 'form_fields', jsonb_array_length(e->'form_fields'),
    'bytes', octet_length(e::text)) AS sizes
  FROM (SELECT ${CANONICAL_DRAFT} AS e FROM agents.agents t WHERE t.company_id = $1 AND t.id = $2 OFFSET 0) d)`;

export const LATEST_OF_CHILDREN = txStatement(
  { index: ['agent_versions_latest', 'sub_agents_child'] },
  `SELECT v.agent_id, v.version_number FROM agents.agent_versions v
   JOIN agents.sub_agents l ON l.company_id = v.company_id AND l.child_agent_id = v.agent_id AND l.deleted_at IS NULL
   WHERE v.company_id = $1 AND l.agent_id = $2 AND v.is_latest`,
);

export const MEASURE_DRAFT = txStatement(
  {
    index: [
      'actions_name',
      'actions_pkey',
      'agents_pkey',
      'form_fields_position',
      'routing_rules_position',
      'sub_agents_position',
    ],
  },
  `UPDATE agents.agents t SET draft_hash = m.hash, draft_sizes = m.sizes
   FROM ${MEASURED} m, (SELECT draft_sizes AS sizes FROM agents.agents WHERE company_id = $1 AND id = $2) b
   WHERE t.company_id = $1 AND t.id = $2 RETURNING b.sizes AS before, m.sizes AS now, t.kind`,
);

export const MARK_PUBLISHED = txStatement(
  { index: 'agents_pkey' },
  'UPDATE agents.agents SET published_hash = draft_hash WHERE company_id = $1 AND id = $2',
);
