import { txStatement, readStatement, type View } from '@signalbox/database';

export const view: View = {
  resource: 'tag rule',
  table: 'traffic.tag_rules',
  columns: [
    'id',
    'rule_name',
    'tag_id',
    'application_id',
    'intent_group_id',
    'method',
    'conditions',
    'prompt',
    'apply_to_new',
    'enabled',
    'date_created',
    'date_updated',
  ],
  filters: { tag_id: 't.tag_id = ?', enabled: 't.enabled = ?' },
  search: ['t.rule_name', 't.prompt'],
  sort: { rule_name: 't.rule_name' },
  large: ['conditions', 'prompt'],
};

const APPLIED = 't.id, t.tag_id, t.application_id, t.intent_group_id, t.method, t.conditions, t.prompt';

export const RULES_FOR_NEW_REQUESTS = readStatement(
  { index: 'tag_rules_name' },
  `SELECT x.* FROM s, LATERAL (SELECT ${APPLIED} FROM traffic.tag_rules t
   WHERE t.company_id = s.company AND t.enabled AND t.apply_to_new AND t.deleted_at IS NULL OFFSET 0) x ORDER BY x.id`,
);

export const COUNT_RULES = txStatement(
  { index: 'tag_rules_name' },
  'SELECT count(*)::int AS count FROM traffic.tag_rules WHERE company_id = $1 AND deleted_at IS NULL',
);

export const RULES_BY_IDS = txStatement(
  { index: 'tag_rules_pkey' },
  `SELECT ${APPLIED} FROM traffic.tag_rules t
   WHERE t.company_id = $1 AND t.id = ANY ($2::int[]) AND t.deleted_at IS NULL ORDER BY t.id`,
);

export const DELETE_RULES_OF_TAG = txStatement(
  { index: 'tag_rules_of_tag' },
  `UPDATE traffic.tag_rules t SET deleted_at = $3, date_updated = $3
   WHERE t.company_id = $1 AND t.tag_id = $2 AND t.deleted_at IS NULL
   RETURNING t.id, to_jsonb(t) - 'company_id' - 'deleted_at' AS before`,
);
