import { txStatement, workerStatement, type View } from '@signalbox/database';

export const view: View = {
  resource: 'webhook',
  table: 'accounts.webhooks',
  columns: [
    'id',
    'url',
    'events',
    'description',
    'enabled',
    'disabled_reason',
    'secret_last4',
    'last_delivery_at',
    'date_created',
    'date_updated',
  ],
  filters: { enabled: 't.enabled = ?' },
  search: ['t.url', 't.description'],
  sort: { url: 't.url', last_delivery_at: 't.last_delivery_at' },
};

export const COUNT_WEBHOOKS = txStatement(
  { index: 'webhooks_pkey' },
  'SELECT count(*)::int AS count FROM accounts.webhooks WHERE company_id = $1 AND deleted_at IS NULL',
);

export const ENABLED_WEBHOOKS = txStatement(
  { index: 'webhooks_pkey' },
  `SELECT id, events, date_created FROM accounts.webhooks
   WHERE company_id = $1 AND enabled AND deleted_at IS NULL ORDER BY id`,
);

export const PATTERNS_OF_COMPANIES = workerStatement(
  { index: 'webhooks_enabled' },
  `SELECT company_id, events FROM accounts.webhooks
   WHERE company_id = ANY($1::int[]) AND enabled AND deleted_at IS NULL`,
);

export const KEEP_PREVIOUS_SECRET = txStatement(
  { index: 'webhooks_pkey' },
  'UPDATE accounts.webhooks SET previous_secret = secret WHERE company_id = $1 AND id = $2',
);
