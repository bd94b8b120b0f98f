import { readStatement } from '@signalbox/database';

export const RESOLVE_NAMES = readStatement(
  { index: ['applications_name', 'intent_groups_pkey', 'intents_action_type'] },
  `SELECT x.* FROM s, LATERAL (
   SELECT a.id AS application_id, a.application_ref_name, a.state, a.config AS application, i.id AS intent_id,
     i.intent_group_id, i.agent_id, i.config AS intent, g.config AS intent_group
   FROM traffic.applications a
   LEFT JOIN traffic.intents i ON i.company_id = a.company_id AND i.application_id = a.id
     AND i.action_type = $4 AND i.deleted_at IS NULL
   LEFT JOIN traffic.intent_groups g ON g.company_id = i.company_id AND g.id = i.intent_group_id
   WHERE a.company_id = s.company AND a.deleted_at IS NULL
     AND (a.application_ref_name IN ($2, $3) OR a.application_name = $2)
   ORDER BY a.application_ref_name = $2 DESC, a.application_name = $2 DESC, a.id LIMIT 1 OFFSET 0) x`,
);

export const RESOLVE_IDS = readStatement(
  { index: ['applications_pkey', 'intent_groups_pkey', 'intents_pkey'] },
  `SELECT x.* FROM s, LATERAL (
   SELECT a.id AS application_id, a.application_ref_name, a.state, a.config AS application, i.id AS intent_id,
     i.intent_group_id, i.agent_id, i.config AS intent, g.config AS intent_group
   FROM traffic.applications a
   LEFT JOIN traffic.intents i ON i.company_id = a.company_id AND i.application_id = a.id
     AND i.id = $3 AND i.deleted_at IS NULL
   LEFT JOIN traffic.intent_groups g ON g.company_id = i.company_id AND g.id = i.intent_group_id
   WHERE a.company_id = s.company AND a.id = $2 AND a.deleted_at IS NULL
     AND ($3::int IS NULL OR i.id IS NOT NULL) OFFSET 0) x`,
);
