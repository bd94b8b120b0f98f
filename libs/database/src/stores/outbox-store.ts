import {
  OUTBOX_LETTERS,
  OUTBOX_STREAMS,
  type OutboxBacklog,
  type OutboxBatch,
  type OutboxMessage,
  type OutboxStore,
  type OutboxStream,
  type PruneHours,
  type Publication,
  type Relayed,
} from '@signalbox/platform';
import type { Pool, PoolClient, QueryResult } from 'pg';
import type { AfterCommit } from './after-commit.js';
import type { Database } from '../database.js';
import { NOW_MS, STATEMENT_MS } from '../schema/schema.js';
import { fromPostgres } from '../sql-errors.js';
import { statementName } from '../view.js';

/** Conditions that select the rows of each stream; they match the partial indexes of the table. */
export const ROWS_OF: Record<OutboxStream, string> = {
  EVENTS: `subject NOT LIKE 'audit.%'`,
  AUDIT: `subject LIKE 'audit.%'`,
};
const CREATED_COLUMN: Record<OutboxStream, string> = { EVENTS: 'stream_birth', AUDIT: 'audit_created' };

/** Rows per statement of pruning or resending; more could exceed the statement time-out. */
const SLICE = 5000;
const HOUR_MS = 3_600_000;
/** The other process may have read its batch before the latest messages were committed. */
const SENT_ELSEWHERE: Relayed = { done: 0, refused: 0, failure: null, more: true };

type Row = OutboxMessage & { row: number; total: number };

/** The outbox table behind the relay. */
export class PgOutbox implements OutboxStore {
  private readonly table = `"${this.db.schema}".outbox`;

  constructor(
    private readonly db: Database,
    private readonly added: AfterCommit,
    /** Connections of the relay, which holds one while messages are published. */
    private readonly connections: Pool,
  ) {}

  async relay(batch: OutboxBatch, publish: (messages: OutboxMessage[]) => Promise<Publication[]>): Promise<Relayed> {
    const client = await this.connections.connect();
    let failure: Error | undefined;
    try {
      const isHeld = await this.begin(client, batch.stream);
      const relayed = isHeld ? await this.send(client, batch, publish) : SENT_ELSEWHERE;
      await client.query('COMMIT');
      return relayed;
    } catch (error) {
      // Its connection is destroyed, which rolls back: a rollback would wait behind a statement without a reply.
      failure = error as Error;
      throw fromPostgres(error);
    } finally {
      client.release(failure);
    }
  }

  async unsent(): Promise<OutboxStream[]> {
    const [found] = await this.db.asWorker<Record<OutboxStream, boolean>>(
      `SELECT ${isUnsent(this.table, 'EVENTS')} AS "EVENTS", ${isUnsent(this.table, 'AUDIT')} AS "AUDIT"`,
    );
    return OUTBOX_STREAMS.filter((stream) => found?.[stream]);
  }

  /**
   * Begins a pass; returns whether this relay may send: two at a time would publish the events of one resource out of
   * order. The commit of a pass is not synced: a crash of the database that forgets it repeats messages, whose ids the
   * stream and the inboxes know.
   */
  private async begin(client: PoolClient, stream: OutboxStream): Promise<boolean> {
    const lock = `hashtext('${this.db.schema} outbox relay ${stream}')`;
    const results = await client.query<{ held: boolean }>(
      `BEGIN; SET LOCAL synchronous_commit = off; SELECT pg_try_advisory_xact_lock(${lock}) AS held`,
    );
    const [, , locked] = results as unknown as QueryResult<{ held: boolean }>[];
    return locked?.rows[0]?.held ?? false;
  }

  private async send(
    client: PoolClient,
    batch: OutboxBatch,
    publish: (messages: OutboxMessage[]) => Promise<Publication[]>,
  ): Promise<Relayed> {
    const rows = await this.due(client, batch);
    const publications = rows.length > 0 ? await publish(rows) : [];
    return this.record(client, rows, publications, batch.rows);
  }

  private async due(client: PoolClient, { stream, rows: limit, bytes }: OutboxBatch): Promise<Row[]> {
    // The size of a payload over the bound is determined without reading it.
    return prepared<Row>(
      client,
      `WITH due AS MATERIALIZED (
         SELECT id, message_id, subject, payload, traceparent, octet_length(payload) AS bytes FROM ${this.table}
         WHERE sent_at IS NULL AND ${ROWS_OF[stream]} ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED)
       SELECT id AS row, message_id AS id, subject, bytes, traceparent, CASE WHEN bytes <= $2 THEN payload END AS payload,
         (SELECT count(*)::int FROM due) AS total
       FROM (SELECT *, sum(bytes) OVER (ORDER BY id) - bytes AS before FROM due) d WHERE before < $2 ORDER BY row`,
      [limit, bytes],
    );
  }

  private async record(client: PoolClient, rows: Row[], publications: Publication[], limit: number): Promise<Relayed> {
    const sent: number[] = [];
    const refused: { row: number; cause: string }[] = [];
    let failure: Error | null = null;
    rows.forEach(({ row }, at) => {
      const publication = publications[at];
      if (publication?.state === 'sent') sent.push(row);
      else if (publication?.state === 'refused') refused.push({ row, cause: publication.cause });
      else failure ??= publication?.error ?? new Error(`outbox row ${row} was not published`);
    });
    if (sent.length > 0)
      await prepared(client, `UPDATE ${this.table} SET sent_at = ${NOW_MS} WHERE id = ANY($1::bigint[])`, [sent]);
    if (refused.length > 0) await this.deadLetter(client, refused);
    const done = sent.length + refused.length;
    // The batch was limited by rows or by bytes.
    const isCut = rows.length < (rows[0]?.total ?? 0) || rows.length === limit;
    return { done, refused: refused.length, failure, more: isCut && failure === null };
  }

  private async deadLetter(client: PoolClient, refused: { row: number; cause: string }[]): Promise<void> {
    const values = [refused.map(({ row }) => row), refused.map(({ cause }) => cause)];
    await client.query(
      `WITH gone AS (DELETE FROM ${this.table} o USING unnest($1::bigint[], $2::text[]) r(id, cause)
         WHERE o.id = r.id RETURNING o.company_id, o.message_id, o.subject, o.payload, r.cause)
       INSERT INTO "${this.db.schema}".dead_letters (company_id, consumer, message_id, subject, payload, cause)
       SELECT company_id, '${OUTBOX_LETTERS}', message_id::text, subject, payload, cause FROM gone
       ON CONFLICT DO NOTHING`,
      values,
    );
  }

  async resend(stream: OutboxStream, hours: number): Promise<void> {
    const [clock] = await this.db.asWorker<{ now: number }>(`SELECT ${NOW_MS} AS now`);
    const until = clock?.now ?? Date.now();
    await this.inSlices(
      `UPDATE ${this.table} SET sent_at = NULL WHERE id IN (
         SELECT id FROM ${this.table} WHERE sent_at > $1 AND sent_at <= $2 AND ${ROWS_OF[stream]} LIMIT ${SLICE})
       RETURNING 1`,
      [until - hours * HOUR_MS, until],
    );
  }

  /** Finished work is kept seven times as long as sent messages, because it records the number of attempts. */
  async prune({ sent, inbox }: PruneHours): Promise<void> {
    const before = `${STATEMENT_MS} - $1::bigint * ${HOUR_MS}`;
    const slice = (table: string, condition: string): string =>
      `DELETE FROM ${table} WHERE ctid = ANY(ARRAY(SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${SLICE})) RETURNING 1`;
    const { schema } = this.db;
    await this.inSlices(slice(this.table, `sent_at < ${before}`), [sent]);
    await this.inSlices(slice(`"${schema}".inbox`, `date_created < ${before}`), [inbox]);
    await this.inSlices(slice(`"${schema}".idempotency`, `date_created < ${before}`), [sent]);
    await this.inSlices(slice(`"${schema}".work`, `done_at < now() - $1 * interval '7 hours'`), [sent]);
  }

  private async inSlices(text: string, values: unknown[]): Promise<void> {
    while ((await this.db.asWorker(text, values)).length === SLICE);
  }

  async backlog(): Promise<OutboxBacklog> {
    const [row] = await this.db.asWorker<OutboxBacklog>(
      `SELECT (${counted(this.table, 'EVENTS')} + ${counted(this.table, 'AUDIT')})::int AS messages,
         GREATEST(0, ${NOW_MS} - LEAST(${oldest(this.table, 'EVENTS')}, ${oldest(this.table, 'AUDIT')})) AS "oldestMs"`,
    );
    return { messages: row?.messages ?? 0, oldestMs: row?.oldestMs ?? 0 };
  }

  onAdded(wake: (streams: readonly OutboxStream[]) => void): void {
    this.added.onOutbox(wake);
  }

  async streamCreated(stream: OutboxStream): Promise<string | null> {
    const rows = await this.db.asWorker<{ created: string | null }>(
      `SELECT ${CREATED_COLUMN[stream]} AS created FROM "${this.db.schema}".bus_state`,
    );
    return rows[0]?.created ?? null;
  }

  async setStreamCreated(stream: OutboxStream, created: string): Promise<void> {
    const column = CREATED_COLUMN[stream];
    await this.db.asWorker(
      `INSERT INTO "${this.db.schema}".bus_state (${column}) VALUES ($1)
       ON CONFLICT (id) DO UPDATE SET ${column} = EXCLUDED.${column}`,
      [created],
    );
  }
}

/** Runs a statement that is parsed and planned once for each connection. */
async function prepared<R extends object>(client: PoolClient, text: string, values: unknown[]): Promise<R[]> {
  return (await client.query<R>({ name: statementName(text), text, values })).rows;
}

const counted = (table: string, stream: OutboxStream): string =>
  `(SELECT count(*) FROM ${table} WHERE sent_at IS NULL AND ${ROWS_OF[stream]})`;
const isUnsent = (table: string, stream: OutboxStream): string =>
  `EXISTS (SELECT FROM ${table} WHERE sent_at IS NULL AND ${ROWS_OF[stream]})`;
const oldest = (table: string, stream: OutboxStream): string =>
  `(SELECT date_created FROM ${table} WHERE sent_at IS NULL AND ${ROWS_OF[stream]} ORDER BY id LIMIT 1)`;
