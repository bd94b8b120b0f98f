import {
  OUTBOX_STREAMS,
  type OutboxBacklog,
  type OutboxBatch,
  type OutboxMessage,
  type OutboxStore,
  type OutboxStream,
  type PruneHours,
  type Publication,
  type Relayed,
  type SentSpan,
} from '@signalbox/platform';
import type { Pool, PoolClient, QueryResult } from 'pg';
import type { AfterCommit } from './after-commit.js';
import type { Database } from '../database.js';
import { fromPostgres } from '../sql-errors.js';
import type { Statement } from '../statement.js';
import { statementName } from '../view.js';
import { OUTBOX, SLICE } from './outbox.sql.js';

const HOUR_MS = 3_600_000;

/** The other relay may have read its batch before the latest commits. */
const SENT_ELSEWHERE: Relayed = { done: 0, refused: 0, failure: null, more: true };

type Row = OutboxMessage & { row: number; total: number };

export class PgOutbox implements OutboxStore {
  private readonly sql = OUTBOX.of(this.db.schema);

  constructor(
    private readonly db: Database,
    private readonly added: AfterCommit,
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
      // Destroying the connection rolls back; a ROLLBACK would wait behind the statement without a reply.
      failure = error as Error;
      throw fromPostgres(error);
    } finally {
      client.release(failure);
    }
  }

  async unsent(): Promise<OutboxStream[]> {
    const [found] = await this.db.asWorker<Record<OutboxStream, boolean>>(this.sql.unsent);
    return OUTBOX_STREAMS.filter((stream) => found?.[stream]);
  }

  /**
   * Returns whether this relay may send: two at a time would publish the events of a resource out of order. The commit
   * is not synced: if a crash of the database loses it, messages are repeated, which the stream and the inboxes
   * deduplicate by id.
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

  private due(client: PoolClient, { stream, rows, bytes, without = [] }: OutboxBatch): Promise<Row[]> {
    return prepared<Row>(client, this.sql[stream].due, [rows, bytes, without]);
  }

  private async record(client: PoolClient, rows: Row[], publications: Publication[], limit: number): Promise<Relayed> {
    const sent: number[] = [];
    const refused: { row: number; cause: string }[] = [];
    let failure: Error | null = null;
    rows.forEach(({ row }, at) => {
      const publication = publications[at];
      if (publication?.state === 'sent') sent.push(row);
      else if (publication?.state === 'refused') refused.push({ row, cause: publication.cause });
      else if (publication?.state !== 'forbidden')
        failure ??= publication?.error ?? new Error(`outbox row ${row} was not published`);
    });
    if (sent.length > 0) await prepared(client, this.sql.markSent, [sent]);
    if (refused.length > 0) await this.deadLetter(client, refused);
    const done = sent.length + refused.length;
    const isCut = rows.length < (rows[0]?.total ?? 0) || rows.length === limit;
    return { done, refused: refused.length, failure, more: isCut && failure === null };
  }

  private async deadLetter(client: PoolClient, refused: { row: number; cause: string }[]): Promise<void> {
    const values = [refused.map(({ row }) => row), refused.map(({ cause }) => cause)];
    await prepared(client, this.sql.deadLetter, values);
  }

  async resend(stream: OutboxStream, hours: number): Promise<void> {
    const [clock] = await this.db.asWorker<{ now: number }>(this.sql.now);
    const until = clock?.now ?? Date.now();
    await this.inSlices(this.sql[stream].resend, [until - hours * HOUR_MS, until]);
  }

  async countSent(stream: OutboxStream, { after, until }: SentSpan): Promise<number> {
    const [row] = await this.db.asWorker<{ messages: number }>(this.sql[stream].countSent, [after, until]);
    return row?.messages ?? 0;
  }

  async resendSlice(stream: OutboxStream, { after, until }: SentSpan): Promise<number> {
    return (await this.db.asWorker(this.sql[stream].resend, [after, until])).length;
  }

  async prune({ sent, inbox }: PruneHours): Promise<void> {
    await this.inSlices(this.sql.pruneSent, [sent]);
    await this.inSlices(this.sql.pruneInbox, [inbox]);
    await this.inSlices(this.sql.pruneIdempotency, [sent]);
    await this.inSlices(this.sql.pruneWork, [sent]);
  }

  private async inSlices(statement: Statement<'worker'>, values: unknown[]): Promise<void> {
    while ((await this.db.asWorker(statement, values)).length === SLICE);
  }

  async backlog(): Promise<OutboxBacklog> {
    const [row] = await this.db.asWorker<OutboxBacklog>(this.sql.backlog);
    return { messages: row?.messages ?? 0, oldestMs: row?.oldestMs ?? 0 };
  }

  onAdded(wake: (streams: readonly OutboxStream[]) => void): void {
    this.added.onOutbox(wake);
  }

  async streamCreated(stream: OutboxStream): Promise<string | null> {
    const rows = await this.db.asWorker<{ created: string | null }>(this.sql[stream].created);
    return rows[0]?.created ?? null;
  }

  async setStreamCreated(stream: OutboxStream, created: string): Promise<void> {
    await this.db.asWorker(this.sql[stream].setCreated, [created]);
  }
}

async function prepared<R extends object>(
  client: PoolClient,
  { text }: Statement<'worker'>,
  values: unknown[],
): Promise<R[]> {
  return (await client.query<R>({ name: statementName(text), text, values })).rows;
}
