import { txStatement, readStatement, NOW_MS } from '@signalbox/database';

export const PENDING_DELIVERY = readStatement(
  { index: ['webhook_deliveries_pkey', 'webhooks_pkey'] },
  `SELECT r.* FROM s, LATERAL (
   SELECT t.id, t.webhook_id, t.event, t.attempt_count, t.request_body, w.url, w.enabled, w.deleted_at, w.secret,
     w.previous_secret, w.previous_until, GREATEST(0, COALESCE(t.next_attempt_at, 0) - ${NOW_MS}) AS wait_ms
   FROM accounts.webhook_deliveries t JOIN accounts.webhooks w ON w.company_id = t.company_id AND w.id = t.webhook_id
   WHERE t.company_id = s.company AND t.id = $2 AND t.status = 'PENDING' OFFSET 0) r`,
);

export const STORE_ATTEMPT = txStatement(
  { index: 'webhook_deliveries_pkey' },
  `UPDATE accounts.webhook_deliveries SET status = $3, attempt_count = attempt_count + 1, last_status_code = $4,
     last_error = $5, response_excerpt = $6, duration_ms = $7, date_updated = ${NOW_MS},
     next_attempt_at = ${NOW_MS} + $8::bigint
   WHERE company_id = $1 AND id = $2`,
);

export const COUNT_FAILURES = txStatement(
  { index: 'webhooks_pkey' },
  `UPDATE accounts.webhooks SET last_delivery_at = ${NOW_MS},
     failed_in_row = CASE WHEN $3 THEN 0 ELSE failed_in_row + $4::int END
   WHERE company_id = $1 AND id = $2 RETURNING failed_in_row`,
);

export const FAIL_DELIVERY = txStatement(
  { index: 'webhook_deliveries_pkey' },
  `UPDATE accounts.webhook_deliveries SET status = 'FAILED', last_error = $3, next_attempt_at = NULL,
     date_updated = ${NOW_MS}
   WHERE company_id = $1 AND id = $2 AND status = 'PENDING'`,
);
