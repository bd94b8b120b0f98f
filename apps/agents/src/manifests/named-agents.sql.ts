import { readStatement, txStatement } from '@signalbox/database';

export const NAMES_OF_AGENTS = readStatement(
  { index: 'agents_pkey' },
  `SELECT r.* FROM s, LATERAL (SELECT t.id, t.agent_name FROM agents.agents t
   WHERE t.company_id = s.company AND t.id = ANY($2::int[]) OFFSET 0) r`,
);

export const LOCK_AGENTS_NAMED = txStatement(
  { index: 'agents_name' },
  `SELECT id, agent_name, kind FROM agents.agents WHERE company_id = $1 AND application_id = $2
   AND agent_name = ANY($3::text[]) AND deleted_at IS NULL ORDER BY id FOR NO KEY UPDATE`,
);

export const AGENTS_NAMED = txStatement(
  { index: 'agents_name' },
  `SELECT agent_name, id FROM agents.agents WHERE company_id = $1 AND application_id = $2
   AND agent_name = ANY($3::text[]) AND deleted_at IS NULL`,
);

export const STATUS_OF_AGENT = txStatement(
  { index: 'agents_pkey' },
  'SELECT status FROM agents.agents WHERE company_id = $1 AND id = $2',
);

export const KNOWN_PINS = txStatement(
  { index: ['agent_releases_name', 'agent_versions_company_id_agent_id_version_number_key', 'agent_versions_latest'] },
  `SELECT v.version_number AS named, v.version_number AS pin FROM agents.agent_versions v
   WHERE v.company_id = $1 AND v.agent_id = $2 AND v.version_number = $3
   UNION ALL
   SELECT 'latest', v.version_number FROM agents.agent_versions v
   WHERE v.company_id = $1 AND v.agent_id = $2 AND v.is_latest AND $3 = 'latest'
   UNION ALL
   SELECT l.name, l.name FROM agents.agent_releases l
   WHERE l.company_id = $1 AND l.agent_id = $2 AND l.name = $4 AND l.deleted_at IS NULL`,
);

export const NAMES_OF_LOCKED_AGENTS = txStatement(
  { index: 'agents_pkey' },
  'SELECT id, agent_name FROM agents.agents WHERE company_id = $1 AND id = ANY($2::int[])',
);
