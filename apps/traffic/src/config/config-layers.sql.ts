import type { ConfigSource } from '@signalbox/contracts';
import { composed, readStatement, txStatement } from '@signalbox/database';

export type Configured = Exclude<ConfigSource, 'default'>;

const INDEXES: Record<Configured, string[]> = {
  application: ['applications_pkey'],
  intent_group: ['intent_groups_pkey'],
  intent: ['applications_pkey', 'intent_groups_pkey', 'intents_pkey'],
};

const SELECT: Record<Configured, string> = {
  application: `SELECT t.config AS application FROM traffic.applications t`,
  intent_group: `SELECT t.config AS intent_group FROM traffic.intent_groups t`,
  intent: `SELECT t.config AS intent, g.config AS intent_group, a.config AS application FROM traffic.intents t
    JOIN traffic.intent_groups g ON g.company_id = t.company_id AND g.id = t.intent_group_id
    JOIN traffic.applications a ON a.company_id = t.company_id AND a.id = t.application_id`,
};

export const FIND_LAYERS = composed(
  (what: Configured) =>
    readStatement(
      { index: INDEXES[what] },
      `SELECT x.* FROM s, LATERAL (${SELECT[what]} WHERE t.company_id = s.company AND t.id = $2
       AND t.deleted_at IS NULL OFFSET 0) x`,
    ),
  ['application'],
  ['intent_group'],
  ['intent'],
);

export const LAYERS_OF_ROW = composed(
  (what: Configured) =>
    txStatement(
      { index: INDEXES[what] },
      `${SELECT[what]} WHERE t.company_id = $1 AND t.id = $2 AND t.deleted_at IS NULL`,
    ),
  ['application'],
  ['intent_group'],
  ['intent'],
);

export const HOLD_MODELS = txStatement(
  { index: 'models_name' },
  `SELECT model_name FROM traffic.models WHERE company_id = $1 AND model_name = ANY($2::text[]) AND deleted_at IS NULL
   ORDER BY id FOR SHARE`,
);
