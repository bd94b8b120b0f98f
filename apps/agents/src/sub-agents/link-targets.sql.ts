import { readStatement } from '@signalbox/database';
import { LINKED_PARTS, secretFields } from '../drafts/index.js';

const PUBLISHED = `(SELECT jsonb_build_object('agent_name', v.snapshot->'agent_name', 'description', v.snapshot->'description',
    'actions', (SELECT COALESCE(jsonb_agg(${secretFields(`e->'enabled'`, `e->'action_config'`)}), '[]')
      FROM jsonb_array_elements(v.snapshot->'actions') e), 'sub_agents', v.snapshot->'sub_agents',
    'mcp_servers', (SELECT COALESCE(jsonb_agg(jsonb_build_object('headers', e->'headers')), '[]')
      FROM jsonb_array_elements(v.snapshot->'mcp_servers') e))
  FROM agents.agent_versions v WHERE v.company_id = t.company_id AND v.agent_id = t.id
    AND CASE WHEN u.version = 'latest' THEN v.is_latest WHEN u.version IS NOT NULL THEN v.version_number = u.version
      ELSE v.id = (SELECT l.version_id FROM agents.agent_releases l WHERE l.company_id = t.company_id
        AND l.agent_id = t.id AND l.name = u.release AND l.deleted_at IS NULL) END)`;

export const LINK_TARGETS = readStatement(
  {
    index: [
      'actions_name',
      'agent_releases_name',
      'agent_versions_company_id_agent_id_version_number_key',
      'agents_pkey',
      'mcp_servers_pkey',
      'sub_agents_position',
    ],
  },
  `SELECT x.* FROM s, LATERAL (
   SELECT u.n::int AS at,
     CASE WHEN u.version IS NULL AND u.release IS NULL THEN ${LINKED_PARTS} ELSE ${PUBLISHED} END AS target
   FROM unnest($2::int[], $3::text[], $4::text[]) WITH ORDINALITY u(agent_id, version, release, n)
   JOIN agents.agents t ON t.company_id = s.company AND t.id = u.agent_id AND t.deleted_at IS NULL OFFSET 0) x`,
);
