import { readStatement, txStatement } from '@signalbox/database';

export const MODEL_OF_RUN = readStatement(
  { index: 'models_finetune_run' },
  `SELECT x.id FROM s, LATERAL (SELECT t.id FROM traffic.models t
   WHERE t.company_id = s.company AND t.finetune_run_id = $2 OFFSET 0) x`,
);

export const FREE_NAME = txStatement(
  { index: 'models_name' },
  `SELECT n.name FROM unnest($2::text[]) WITH ORDINALITY n(name, at) WHERE NOT EXISTS (
     SELECT 1 FROM traffic.models t WHERE t.company_id = $1 AND t.model_name = n.name AND t.deleted_at IS NULL)
   ORDER BY n.at LIMIT 1`,
);

export const BASE_MODEL = txStatement(
  { index: 'models_name' },
  `SELECT context_window, supports_tools, supports_json_schema, trainable FROM traffic.models
   WHERE company_id = $1 AND model_name = $2 AND deleted_at IS NULL`,
);
