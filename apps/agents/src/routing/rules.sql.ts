import { readStatement, txStatement } from '@signalbox/database';
import { ROUTING_SQL } from '../drafts/index.js';

export const ROUTING_OF_AGENT = readStatement(
  { index: ['agents_pkey', 'routing_rules_position'] },
  `SELECT r.body FROM s, LATERAL (SELECT ${ROUTING_SQL}::text AS body FROM agents.agents t
   WHERE t.company_id = s.company AND t.id = $2 AND t.deleted_at IS NULL OFFSET 0) r`,
);

export const ROUTE_TARGETS = txStatement(
  { index: ['actions_pkey', 'sub_agents_child'] },
  `SELECT EXISTS (SELECT 1 FROM agents.sub_agents l WHERE l.company_id = $1 AND l.agent_id = $2
     AND l.child_agent_id = $3 AND l.deleted_at IS NULL) AS child,
   EXISTS (SELECT 1 FROM agents.actions a WHERE a.company_id = $1 AND a.agent_id = $2
     AND a.id = $4 AND a.deleted_at IS NULL) AS action`,
);

export const ROUTES_TO = txStatement(
  { index: ['agents_pkey', 'routing_rules_position'] },
  `SELECT NULL::int AS rule_id FROM agents.agents t
   WHERE t.company_id = $1 AND t.id = $2 AND t.routing->'default' @> $3::jsonb
   UNION ALL
   SELECT r.id FROM agents.routing_rules r
   WHERE r.company_id = $1 AND r.agent_id = $2 AND r.deleted_at IS NULL AND r.route @> $3::jsonb`,
);
