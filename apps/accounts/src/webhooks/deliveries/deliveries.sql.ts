import { NOW_MS, STATEMENT_MS, txStatement, type View, workerStatement } from '@signalbox/database';
import { KEPT_DAYS } from './delivery.js';
import { MAX_PENDING } from '../webhook.js';

/** Larger bodies are left out, so that a list of a hundred deliveries stays below a megabyte. */
const LISTED_BYTES = 8192;

const COLUMNS = [
  'id',
  'webhook_id',
  'event_id',
  'event',
  'status',
  'attempt_count',
  'next_attempt_at',
  'last_status_code',
  'last_error',
  'response_excerpt',
  'duration_ms',
  'replay_of',
  'date_created',
  'date_updated',
];

export const view: View = {
  resource: 'delivery',
  table: 'accounts.webhook_deliveries',
  columns: COLUMNS,
  computed: { request_body: 't.request_body::json' },
  alive: 'true',
};

export const listView: View = {
  ...view,
  computed: {
    request_body: `CASE WHEN octet_length(t.request_body) <= ${LISTED_BYTES} THEN t.request_body::json END`,
  },
  filters: {
    webhook_id: 't.webhook_id = ?',
    status: 't.status = ANY(?::text[])',
    event: 't.event = ANY(?::text[])',
    start_date: 't.date_created >= ?',
    end_date: 't.date_created < ?',
  },
  search: ['t.event', 't.event_id::text', 't.last_error'],
  sort: { next_attempt_at: 't.next_attempt_at', duration_ms: 't.duration_ms' },
};

export const INSERT_DELIVERIES = txStatement(
  { index: 'webhook_deliveries_event' },
  `INSERT INTO accounts.webhook_deliveries
     (company_id, webhook_id, event_id, event, status, next_attempt_at, request_body, replay_of)
   SELECT $1::int, u.webhook_id, u.event_id::uuid, u.event, 'PENDING', ${NOW_MS}, u.body, $6::int
   FROM unnest($2::int[], $3::text[], $4::text[], $5::text[]) u(webhook_id, event_id, event, body)
   ON CONFLICT (company_id, webhook_id, event_id) WHERE replay_of IS NULL DO NOTHING RETURNING id`,
);

export const COUNT_PENDING = txStatement(
  { index: 'webhook_deliveries_pending' },
  `SELECT count(*)::int AS waiting FROM (SELECT 1 FROM accounts.webhook_deliveries
   WHERE company_id = $1 AND webhook_id = $2 AND status = 'PENDING' LIMIT ${MAX_PENDING + 1}) p`,
);

/** Rows per statement. */
export const SLICE = 5000;
const DAY_MS = 86_400_000;

export const DELETE_OLD = workerStatement(
  { index: 'webhook_deliveries_created' },
  `DELETE FROM accounts.webhook_deliveries WHERE ctid = ANY(ARRAY(
     SELECT ctid FROM accounts.webhook_deliveries
     WHERE date_created < ${STATEMENT_MS} - ${KEPT_DAYS * DAY_MS}::bigint AND status <> 'PENDING' LIMIT ${SLICE}))
   RETURNING 1`,
);
