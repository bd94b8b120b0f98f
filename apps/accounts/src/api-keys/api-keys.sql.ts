import { txStatement, readStatement, workerStatement, type View } from '@signalbox/database';

export const view: View = {
  resource: 'api key',
  table: 'accounts.api_keys',
  columns: [
    'id',
    'name',
    'last4',
    'scopes',
    'expires_at',
    'last_used_at',
    'revoked_at',
    'created_by_key_id',
    'date_created',
    'date_updated',
  ],
  computed: { key_prefix: `'svk_' || t.key_id` },
  search: ['t.name'],
  filters: { revoked: '(t.revoked_at IS NOT NULL) = ?' },
  sort: { name: 't.name', last_used_at: 't.last_used_at', expires_at: 't.expires_at' },
};

export const LOCK_COMPANY = txStatement(
  { index: 'companies_company_id_id_key' },
  'SELECT 1 FROM accounts.companies WHERE company_id = $1 FOR UPDATE',
);

export const COUNT_LIVE_KEYS = txStatement(
  { index: 'api_keys_pkey' },
  `SELECT count(*)::int AS count FROM accounts.api_keys WHERE company_id = $1 AND deleted_at IS NULL AND revoked_at IS NULL
   AND (expires_at IS NULL OR expires_at > $2)`,
);

export const COUNT_ROTATED_KEYS = txStatement(
  { index: 'api_keys_pkey' },
  `SELECT count(*)::int AS count FROM accounts.api_keys WHERE company_id = $1 AND deleted_at IS NULL AND revoked_at IS NULL
   AND rotated_at IS NOT NULL AND expires_at > $2`,
);

/** A rotated key ends with its grace period, so a company that has no other has none to stay. */
export const FIND_OTHER_ADMIN_KEY = txStatement(
  { index: 'api_keys_pkey' },
  `SELECT 1 FROM accounts.api_keys WHERE company_id = $1 AND id <> $2 AND deleted_at IS NULL AND revoked_at IS NULL
   AND rotated_at IS NULL AND (expires_at IS NULL OR expires_at > $3) AND 'admin' = ANY (scopes) LIMIT 1`,
);

export const FIND_KEY = workerStatement(
  { index: ['api_keys_key_id_key', 'companies_pkey'] },
  `SELECT id, company_id, key_hash, key_hmac, scopes, expires_at, revoked_at, last_used_at FROM accounts.api_keys k
   WHERE key_id = $1 AND deleted_at IS NULL
     AND EXISTS (SELECT 1 FROM accounts.companies c WHERE c.id = k.company_id AND c.deleted_at IS NULL)`,
);

export const NOTE_USE = workerStatement(
  { index: 'api_keys_pkey' },
  'UPDATE accounts.api_keys SET last_used_at = $2, key_hmac = $3 WHERE company_id = $4 AND id = $1',
);

export const COMPANY_OF_KEY = readStatement(
  { index: 'companies_company_id_id_key' },
  `SELECT c.* FROM s, LATERAL (SELECT id, name FROM accounts.companies t WHERE t.company_id = s.company OFFSET 0) c`,
);
