import { readStatement } from '@signalbox/database';

export const AGENTS_NAMED = readStatement(
  { index: 'agents_name' },
  `SELECT x.* FROM s, LATERAL (SELECT t.id, t.kind, t.application_id, t.meta ? 'made_for' AS is_made
   FROM agents.agents t WHERE t.company_id = s.company AND t.agent_name = $2 AND t.deleted_at IS NULL
   ORDER BY t.id OFFSET 0) x`,
);

export const COUNT_MADE_AGENTS = readStatement(
  { index: 'agents_name' },
  `SELECT x.* FROM s, LATERAL (SELECT count(*)::int AS count FROM agents.agents t
   WHERE t.company_id = s.company AND t.kind = 'EXTERNAL' AND t.deleted_at IS NULL AND t.meta ? 'made_for'
   OFFSET 0) x`,
);
