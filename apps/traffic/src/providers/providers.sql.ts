import { txStatement, readStatement, type View } from '@signalbox/database';

export const view: View = {
  resource: 'provider',
  table: 'traffic.providers',
  columns: [
    'id',
    'provider_name',
    'kind',
    'base_url',
    'api_key_last4',
    'default_headers',
    'timeout_ms',
    'status',
    'built_in',
    'date_created',
    'date_updated',
  ],
  computed: { api_key_set: 't.api_key_sealed IS NOT NULL' },
  search: ['t.provider_name'],
  sort: { provider_name: 't.provider_name' },
};

export const SET_SEALED = txStatement(
  { index: 'providers_pkey' },
  `UPDATE traffic.providers SET api_key_sealed = $3, api_key_last4 = $4, default_headers = $5, headers_sealed = $6
   WHERE company_id = $1 AND id = $2`,
);

export const FIND_MODEL_OF_PROVIDER = txStatement(
  { index: 'models_provider' },
  'SELECT 1 FROM traffic.models WHERE company_id = $1 AND provider_id = $2 AND deleted_at IS NULL LIMIT 1',
);

export const FIND_PROVIDER = readStatement(
  { index: 'providers_pkey' },
  `SELECT p.* FROM s, LATERAL (SELECT * FROM traffic.providers t
   WHERE t.company_id = s.company AND t.id = $2 AND t.deleted_at IS NULL OFFSET 0) p`,
);
