import { txStatement } from '@signalbox/database';

export const INSERT_BUILT_IN_PROVIDER = txStatement(
  { index: null },
  `INSERT INTO traffic.providers (company_id, provider_name, kind, built_in) VALUES ($1, 'simulated', 'simulated', true)
   ON CONFLICT DO NOTHING`,
);

export const INSERT_BUILT_IN_MODEL = txStatement(
  { index: 'providers_built_in' },
  `INSERT INTO traffic.models (company_id, model_name, display_name, provider_id, provider_model,
     input_price_per_mtok, output_price_per_mtok, built_in, trainable)
   SELECT $1, $2, $2, id, $2, 0, 0, true, true FROM traffic.providers WHERE company_id = $1 AND built_in
   ON CONFLICT DO NOTHING`,
);
