import { readStatement, txStatement, type View } from '@signalbox/database';

export type ModelUser = 'application_id' | 'intent_id' | 'intent_group_id';

const NAMED = `t.model_name IN (c.config->>'model', c.config #>> '{fallback_config,model}')`;

const usedSql = (user: ModelUser, ...configured: string[]): string =>
  `(${[
    `EXISTS (SELECT 1 FROM traffic.recorded_activity y
    WHERE y.company_id = t.company_id AND y.${user} = ?::int AND y.model = t.model_name)`,
    ...configured.map(
      (from) =>
        `EXISTS (SELECT 1 FROM ${from} = ?::int AND c.company_id = t.company_id AND c.deleted_at IS NULL AND ${NAMED})`,
    ),
  ].join(' OR ')})`;

export const MODELS_USED_BY: Readonly<Record<ModelUser, string>> = {
  application_id: usedSql(
    'application_id',
    'traffic.applications c WHERE c.id',
    'traffic.intents c WHERE c.application_id',
  ),
  intent_id: usedSql('intent_id', 'traffic.intents c WHERE c.id'),
  intent_group_id: usedSql(
    'intent_group_id',
    'traffic.intent_groups c WHERE c.id',
    'traffic.intents c WHERE c.intent_group_id',
  ),
};

const seenSql = (user: ModelUser): string =>
  `EXISTS (SELECT 1 FROM traffic.requests r WHERE r.company_id = t.company_id AND r.model = t.model_name
    AND r.${user} = (?::bigint[])[1] AND r.date_created >= (?::bigint[])[2] AND r.date_created < (?::bigint[])[3])`;

export const MODELS_SEEN_IN: Readonly<Record<ModelUser, string>> = {
  application_id: seenSql('application_id'),
  intent_id: seenSql('intent_id'),
  intent_group_id: seenSql('intent_group_id'),
};

export const CALLABLE = `t.status = 'ENABLED' AND EXISTS (SELECT 1 FROM traffic.providers p WHERE p.company_id = t.company_id
  AND p.id = t.provider_id AND p.status = 'ENABLED'
  AND (p.kind = 'simulated' OR p.api_key_sealed IS NOT NULL OR p.headers_sealed IS NOT NULL))`;

const users = (filters: Readonly<Record<ModelUser, string>>, name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(filters).map(([user, sql]) => [`${name}_${user}`, sql]));

export const view: View = {
  resource: 'model',
  table: 'traffic.models',
  columns: [
    'id',
    'model_name',
    'display_name',
    'provider_id',
    'provider_model',
    'model_type',
    'base_model',
    'finetune_run_id',
    'intent_group_id',
    'context_window',
    'input_price_per_mtok',
    'output_price_per_mtok',
    'supports_tools',
    'supports_json_schema',
    'trainable',
    'status',
    'built_in',
    'date_created',
    'date_updated',
  ],
  computed: {
    provider_name:
      '(SELECT p.provider_name FROM traffic.providers p WHERE p.company_id = t.company_id AND p.id = t.provider_id)',
    company_owned: 'NOT t.built_in',
  },
  filters: {
    model_type: 't.model_type = ?',
    provider_id: 't.provider_id = ?',
    intent_group_id: 't.intent_group_id = ?',
    trainable: 't.trainable = ?',
    status: 't.status = ?',
    callable: CALLABLE,
    ...users(MODELS_USED_BY, 'used_by'),
    ...users(MODELS_SEEN_IN, 'seen_in'),
  },
  search: ['t.model_name', 't.display_name'],
  sort: { model_name: 't.model_name', display_name: 't.display_name' },
};

/** Without what a list of names does not show. */
export const namesView: View = {
  ...view,
  columns: ['model_name', 'date_created'],
  computed: { provider_name: view.computed?.provider_name ?? '' },
};

export const byName: View = { ...view, key: 'model_name', keyType: 'text' };

const CONFIGURED = [
  ['application', 'applications'],
  ['intent group', 'intent_groups'],
  ['intent', 'intents'],
] as const;

export const UNKNOWN_NAMES = readStatement(
  { index: 'models_name' },
  `SELECT x.* FROM s, LATERAL (SELECT n.name FROM unnest($2::text[]) n(name) WHERE NOT EXISTS (
   SELECT 1 FROM traffic.models t
   WHERE t.company_id = s.company AND t.model_name = n.name AND t.deleted_at IS NULL) OFFSET 0) x`,
);

export const PRICES_OF = readStatement(
  { index: 'models_name' },
  `SELECT x.* FROM s, LATERAL (SELECT t.model_name, t.input_price_per_mtok, t.output_price_per_mtok
   FROM traffic.models t WHERE t.company_id = s.company AND t.model_name = ANY ($2::text[])
     AND t.deleted_at IS NULL OFFSET 0) x`,
);

export const NAME_OF = readStatement(
  { index: 'models_pkey' },
  `SELECT m.* FROM s, LATERAL (SELECT t.model_name FROM traffic.models t
   WHERE t.company_id = s.company AND t.id = $2 AND t.deleted_at IS NULL OFFSET 0) m`,
);

export const FIND_CALLABLE = readStatement(
  { index: ['models_name', 'providers_pkey'] },
  `SELECT c.* FROM s, LATERAL (
   SELECT t.model_name, t.provider_model, t.context_window, t.input_price_per_mtok, t.output_price_per_mtok,
     t.supports_json_schema, p.id, p.provider_name, p.kind, p.base_url, p.timeout_ms, p.api_key_sealed, p.default_headers, p.headers_sealed
   FROM traffic.models t JOIN traffic.providers p ON p.company_id = t.company_id AND p.id = t.provider_id
   WHERE t.company_id = s.company AND t.model_name = $2 AND t.deleted_at IS NULL
     AND t.status = 'ENABLED' AND p.status = 'ENABLED' OFFSET 0) c`,
);

export const FIND_USE = txStatement(
  { index: ['applications_name', 'intent_groups_name', 'intents_group', 'sentinels_name'] },
  [
    ...CONFIGURED.map(
      ([what, table]) => `SELECT '${what}' AS what, t.id FROM traffic.${table} t WHERE t.company_id = $1
   AND t.deleted_at IS NULL AND $2 IN (t.config->>'model', t.config #>> '{fallback_config,model}')`,
    ),
    `SELECT 'sentinel', t.id FROM traffic.sentinels t WHERE t.company_id = $1 AND t.deleted_at IS NULL AND t.meta->>'model' = $2`,
  ].join(' UNION ALL ') + ' LIMIT 1',
);
