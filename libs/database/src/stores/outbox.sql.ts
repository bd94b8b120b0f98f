import { COUNTED_SENT, OUTBOX_LETTERS, type OutboxStream } from '@signalbox/platform';
import { NOW_MS, STATEMENT_MS } from '../schema/schema.js';
import { perSchema, workerStatement } from '../statement.js';
import { MEASURED_ROWS } from './work.sql.js';

/** Must match the partial indexes of the table. */
export const ROWS_OF: Record<OutboxStream, string> = {
  EVENTS: `subject NOT LIKE 'audit.%'`,
  AUDIT: `subject LIKE 'audit.%'`,
};
const UNSENT_INDEX = { EVENTS: 'outbox_unsent_events', AUDIT: 'outbox_unsent_audit' } as const;
const UNSENT_INDEXES = Object.values(UNSENT_INDEX);
const CREATED_COLUMN: Record<OutboxStream, string> = { EVENTS: 'stream_birth', AUDIT: 'audit_created' };

/** Rows per statement of pruning or resending; more could exceed the statement time-out. */
export const SLICE = 5000;
const HOUR_MS = 3_600_000;

const unsent = (outbox: string, stream: OutboxStream): string =>
  `FROM ${outbox} WHERE sent_at IS NULL AND ${ROWS_OF[stream]}`;

const countUnsent = (outbox: string, stream: OutboxStream): string =>
  `(SELECT count(*) FROM (SELECT 1 ${unsent(outbox, stream)} LIMIT ${MEASURED_ROWS}) m)`;

const sent = (outbox: string, stream: OutboxStream): string =>
  `FROM ${outbox} WHERE sent_at > $1 AND sent_at <= $2 AND ${ROWS_OF[stream]}`;

const ofStream = (outbox: string, schema: string, stream: OutboxStream) => ({
  /** Payloads over the bound are measured without being read. $3 are companies whose subjects are excluded. */
  due: workerStatement(
    { index: UNSENT_INDEX[stream] },
    `WITH due AS MATERIALIZED (
       SELECT id, message_id, subject, payload, traceparent, date_created, octet_length(payload) AS bytes
       ${unsent(outbox, stream)} AND ($3::text[] = '{}' OR regexp_replace(subject, '[.][^.]*', '') <> ALL ($3::text[]))
       ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED)
     SELECT id AS row, message_id AS id, subject, bytes, traceparent, ${NOW_MS} - date_created AS "ageMs", CASE WHEN bytes <= $2 THEN payload END AS payload,
       (SELECT count(*)::int FROM due) AS total
     FROM (SELECT *, sum(bytes) OVER (ORDER BY id) - bytes AS before FROM due) d WHERE before < $2 ORDER BY row`,
  ),
  resend: workerStatement(
    { index: ['outbox_pkey', 'outbox_sent'] },
    `UPDATE ${outbox} SET sent_at = NULL WHERE id IN (
       SELECT id ${sent(outbox, stream)} ORDER BY sent_at LIMIT ${SLICE})
     RETURNING 1`,
  ),
  countSent: workerStatement(
    { index: 'outbox_sent' },
    `SELECT count(*)::int AS messages FROM (SELECT 1 ${sent(outbox, stream)} LIMIT ${COUNTED_SENT}) m`,
  ),
  created: workerStatement({ index: null }, `SELECT ${CREATED_COLUMN[stream]} AS created FROM "${schema}".bus_state`),
  setCreated: workerStatement(
    { index: 'bus_state_pkey' },
    `INSERT INTO "${schema}".bus_state (${CREATED_COLUMN[stream]}) VALUES ($1)
     ON CONFLICT (id) DO UPDATE SET ${CREATED_COLUMN[stream]} = EXCLUDED.${CREATED_COLUMN[stream]}`,
  ),
});

const prune = (index: string, table: string, condition: string) =>
  workerStatement(
    { index },
    `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${SLICE})) RETURNING 1`,
  );
const BEFORE = `${STATEMENT_MS} - $1::bigint * ${HOUR_MS}`;

export const OUTBOX = perSchema('outbox', (outbox, schema) => ({
  EVENTS: ofStream(outbox, schema, 'EVENTS'),
  AUDIT: ofStream(outbox, schema, 'AUDIT'),
  unsent: workerStatement(
    { index: UNSENT_INDEXES },
    `SELECT EXISTS (SELECT ${unsent(outbox, 'EVENTS')}) AS "EVENTS", EXISTS (SELECT ${unsent(outbox, 'AUDIT')}) AS "AUDIT"`,
  ),
  markSent: workerStatement(
    { index: 'outbox_pkey' },
    `UPDATE ${outbox} SET sent_at = ${NOW_MS} WHERE id = ANY($1::bigint[])`,
  ),
  deadLetter: workerStatement(
    { index: 'outbox_pkey' },
    `WITH gone AS (DELETE FROM ${outbox} o USING unnest($1::bigint[], $2::text[]) r(id, cause)
       WHERE o.id = r.id RETURNING o.company_id, o.message_id, o.subject, o.payload, r.cause)
     INSERT INTO "${schema}".dead_letters (company_id, consumer, message_id, subject, payload, cause)
     SELECT company_id, '${OUTBOX_LETTERS}', message_id::text, subject, payload, cause FROM gone ON CONFLICT DO NOTHING`,
  ),
  now: workerStatement({ index: null }, `SELECT ${NOW_MS} AS now`),
  backlog: workerStatement(
    { index: UNSENT_INDEXES },
    `SELECT (${countUnsent(outbox, 'EVENTS')} + ${countUnsent(outbox, 'AUDIT')})::int AS messages,
       GREATEST(0, ${NOW_MS} - LEAST((SELECT date_created ${unsent(outbox, 'EVENTS')} ORDER BY id LIMIT 1),
         (SELECT date_created ${unsent(outbox, 'AUDIT')} ORDER BY id LIMIT 1))) AS "oldestMs"`,
  ),
  pruneSent: prune('outbox_sent', outbox, `sent_at < ${BEFORE}`),
  pruneInbox: prune('inbox_created', `"${schema}".inbox`, `date_created < ${BEFORE}`),
  pruneIdempotency: prune('idempotency_created', `"${schema}".idempotency`, `date_created < ${BEFORE}`),
  /** Finished jobs record the number of attempts, so they are kept seven times as long as sent messages. */
  pruneWork: prune('work_done', `"${schema}".work`, `done_at < now() - $1 * interval '7 hours'`),
}));
