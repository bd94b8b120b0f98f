import { txStatement, readStatement } from '@signalbox/database';

const SHOWN = 20;

export const LOCK_LINKS = txStatement(
  { index: null },
  `SELECT pg_advisory_xact_lock(hashtext('agents.sub_agents'), $1)`,
);

export const FIND_CHILD = txStatement(
  { index: ['agent_releases_name', 'agent_versions_company_id_agent_id_version_number_key', 'agents_pkey'] },
  `SELECT EXISTS (SELECT 1 FROM agents.agent_versions v
            WHERE v.company_id = $1 AND v.agent_id = t.id AND v.version_number = $3) AS version,
          EXISTS (SELECT 1 FROM agents.agent_releases l
            WHERE l.company_id = $1 AND l.agent_id = t.id AND l.name = $4 AND l.deleted_at IS NULL) AS release, t.kind
   FROM agents.agents t WHERE t.company_id = $1 AND t.id = $2 AND t.deleted_at IS NULL`,
);

export const LINK_OF_CHILD = readStatement(
  { index: 'sub_agents_child' },
  `SELECT x.* FROM s, LATERAL (SELECT t.id FROM agents.sub_agents t
   WHERE t.company_id = s.company AND t.agent_id = $2 AND t.child_agent_id = $3 AND t.deleted_at IS NULL OFFSET 0) x`,
);

export const ID_OF_LINK = txStatement(
  { index: 'sub_agents_child' },
  `SELECT id FROM agents.sub_agents
   WHERE company_id = $1 AND agent_id = $2 AND child_agent_id = $3 AND deleted_at IS NULL`,
);

export const PARENTS_OF = txStatement(
  { index: 'sub_agents_parents' },
  `SELECT agent_id FROM agents.sub_agents WHERE company_id = $1 AND child_agent_id = $2 AND deleted_at IS NULL
   ORDER BY agent_id LIMIT ${SHOWN}`,
);

export const PARENTS_TO_SHOW = readStatement(
  { index: 'sub_agents_parents' },
  `SELECT x.* FROM s, LATERAL (SELECT t.agent_id FROM agents.sub_agents t WHERE t.company_id = s.company
   AND t.child_agent_id = $2 AND t.deleted_at IS NULL ORDER BY t.agent_id LIMIT ${SHOWN} OFFSET 0) x`,
);

export const LATEST_VERSION = txStatement(
  { index: 'agent_versions_latest' },
  'SELECT version_number FROM agents.agent_versions WHERE company_id = $1 AND agent_id = $2 AND is_latest',
);

export const ALL_LINKS = txStatement(
  { index: 'sub_agents_position' },
  'SELECT agent_id, child_agent_id FROM agents.sub_agents WHERE company_id = $1 AND deleted_at IS NULL',
);
