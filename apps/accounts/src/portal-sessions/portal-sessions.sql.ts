import { txStatement, workerStatement, type View } from '@signalbox/database';

/** A session that is not used for so long has ended. */
export const IDLE_MS = 12 * 3_600_000;

const inUse = (now: string): string =>
  `NOT t.is_ticket AND t.expires_at > ${now} AND t.last_seen_at > ${now} - ${IDLE_MS}`;

const NOW_MS = '(extract(epoch FROM now()) * 1000)::bigint';

export const view: View = {
  resource: 'portal session',
  table: 'accounts.portal_sessions',
  columns: ['id', 'date_created', 'last_seen_at', 'expires_at', 'user_agent'],
  computed: {
    key_id: 't.api_key_id',
    key_name: `(SELECT k.name FROM accounts.api_keys k WHERE k.company_id = t.company_id AND k.id = t.api_key_id)`,
  },
  alive: `t.deleted_at IS NULL AND ${inUse(NOW_MS)}`,
  search: ['t.user_agent'],
  sort: { last_seen_at: 't.last_seen_at' },
};

const FIND_LIVE = `SELECT t.id, t.company_id, c.name AS company_name, k.id AS key_id, k.name AS key_name, k.scopes, t.expires_at,
    k.expires_at AS key_expires_at, t.last_seen_at
  FROM accounts.portal_sessions t
  JOIN accounts.api_keys k ON k.company_id = t.company_id AND k.id = t.api_key_id
  JOIN accounts.companies c ON c.id = t.company_id
  WHERE ${inUse('$1::bigint')} AND t.deleted_at IS NULL AND k.deleted_at IS NULL AND k.revoked_at IS NULL
    AND (k.expires_at IS NULL OR k.expires_at > $1) AND c.deleted_at IS NULL AND t.token_hash = ANY ($2)`;

export const OLDEST_ADMIN_KEY = txStatement(
  { index: 'api_keys_pkey' },
  `SELECT id FROM accounts.api_keys WHERE company_id = $1 AND deleted_at IS NULL AND revoked_at IS NULL
   AND (expires_at IS NULL OR expires_at > $2) AND 'admin' = ANY (scopes) ORDER BY id LIMIT 1`,
);

export const COUNT_LIVE_SESSIONS = txStatement(
  { index: 'portal_sessions_pkey' },
  `SELECT count(*)::int AS count FROM accounts.portal_sessions t
   WHERE t.company_id = $1 AND t.api_key_id = $2 AND t.deleted_at IS NULL AND ${inUse('$3::bigint')}`,
);

export const REDEEM_TICKET = workerStatement(
  { index: 'portal_sessions_token' },
  `DELETE FROM accounts.portal_sessions WHERE token_hash = ANY ($1) AND is_ticket AND expires_at > $2 RETURNING company_id, api_key_id`,
);

export const NOTE_USE = workerStatement(
  { index: 'portal_sessions_pkey' },
  'UPDATE accounts.portal_sessions SET last_seen_at = $2, date_updated = $2 WHERE company_id = $3 AND id = $1',
);

export const FIND_SESSION_TO_CLOSE = workerStatement(
  { index: 'portal_sessions_token' },
  'SELECT company_id, id, api_key_id FROM accounts.portal_sessions t WHERE token_hash = ANY ($1) AND NOT is_ticket',
);

export const DELETE_SESSION = txStatement(
  { index: 'portal_sessions_pkey' },
  'DELETE FROM accounts.portal_sessions WHERE company_id = $1 AND id = $2',
);

/** Rows that a statement deletes at most. */
export const SLICE = 1000;

export const DELETE_EXPIRED = workerStatement(
  { index: ['portal_sessions_expired', 'portal_sessions_last_seen', 'portal_sessions_pkey'] },
  `DELETE FROM accounts.portal_sessions WHERE (company_id, id) IN (SELECT t.company_id, t.id FROM accounts.portal_sessions t
   WHERE t.expires_at <= $1 OR t.last_seen_at <= $2 LIMIT ${SLICE}) RETURNING id`,
);

export const FIND_LIVE_SESSION = workerStatement(
  { index: ['api_keys_pkey', 'companies_pkey', 'portal_sessions_token'] },
  FIND_LIVE,
);

export const OPENED_SESSION = txStatement(
  { index: ['api_keys_pkey', 'companies_pkey', 'portal_sessions_token'] },
  FIND_LIVE,
);
