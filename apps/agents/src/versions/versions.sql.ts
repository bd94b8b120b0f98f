import { familySql, txStatement, type View } from '@signalbox/database';

export const versionView: View = {
  resource: 'version',
  table: 'agents.agent_versions',
  columns: ['id', 'agent_id', 'is_latest'],
  computed: {
    version: 't.version_number',
    notes: 't.version_notes',
    date_created: 't.date_created / 1000',
    // The name at the time of the publish, like all fields of the record.
    agent: `json_build_object('id', t.agent_id, 'agent_name', t.snapshot->>'agent_name')`,
  },
  detail: { snapshot: 't.snapshot' },
  search: ['t.version_number', 't.version_notes'],
  alive: 'true',
};

/** What `COUNT_USES_OF_MODEL` looks for, without reading snapshots; null in versions that were published before. */
const MODELS_OF_SNAPSHOT = `jsonb_path_query_array($6::jsonb, '$.**.model[*] ? (@.type() == "string")')`;

export const AGENT_SQL = familySql({
  schema: 'agents',
  type: 'agent',
  parent: 'agents',
  nameColumn: 'agent_name',
  parentColumn: 'agent_id',
  prefix: 'agent',
  mcp: { input: 'form_fields', output: 'response_format' },
  derived: { models: MODELS_OF_SNAPSHOT },
});

export const COUNT_VERSIONS = txStatement(
  { index: 'agent_versions_company_id_agent_id_version_number_key' },
  `SELECT COALESCE(bool_or(version_number = $3), false) AS has, count(*)::int AS count FROM agents.agent_versions
   WHERE company_id = $1 AND agent_id = $2`,
);
