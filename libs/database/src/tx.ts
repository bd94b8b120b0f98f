import { type Caller, type Emission, JsonText } from '@signalbox/contracts';
import { FenceLost, type JobKind, type OutboxStream, tracing } from '@signalbox/platform';
import { type PoolClient } from 'pg';
import { type EntityManager } from 'typeorm';
import { type AddedWork, type Query } from './stores/added-work.js';
import { type AuditNote, OutgoingMessages } from './stores/outgoing-messages.js';
import { WORK } from './stores/work.sql.js';
import { type Statement, textOf } from './statement.js';
import { type View, aliveSql, fieldsSql, keySql, preferredSql, statementName } from './view.js';

export type Owner = Caller | { companyId: number };

const keyIdOf = (owner: Owner): number | null => ('keyId' in owner ? owner.keyId : null);
const requestIdOf = (owner: Owner): string => ('requestId' in owner ? owner.requestId : '');

/** A transaction of one company. Its events commit with it or not at all. */
export class Tx {
  private readonly outgoing: OutgoingMessages;

  constructor(
    readonly manager: EntityManager,
    readonly owner: Owner,
    private readonly schema: string,
    private readonly client: PoolClient,
    private readonly work: AddedWork,
  ) {
    this.outgoing = new OutgoingMessages(owner.companyId);
  }

  get companyId(): number {
    return this.owner.companyId;
  }

  async query<Row extends object>(
    statement: Statement<'transaction'> | string,
    values: unknown[] = [],
  ): Promise<Row[]> {
    const text = textOf(statement);
    const name = statementName(text);
    const result = await this.client.query<Row>({ name, text, values });
    return result.rows;
  }

  /** Published if and only if the transaction commits; values too large for a message are left out. */
  emit(...emissions: Emission[]): void {
    this.outgoing.events(emissions);
  }

  /** For bulk changes: adjacent events of one kind share a message. Consumers receive each as one event. */
  emitTogether(emissions: readonly Emission[]): void {
    this.outgoing.eventsTogether(emissions);
  }

  audit(note: AuditNote): void {
    const { companyId } = this;
    this.outgoing.audit(note, { companyId, keyId: keyIdOf(this.owner), requestId: requestIdOf(this.owner) });
  }

  /** Adds a job, or makes a finished one due again. */
  addJob<Payload>(kind: JobKind<Payload>, payload: Payload, delayMs = 0): boolean {
    return this.work.add({ kind: kind.name, ref: kind.write(payload), delayMs, soonest: kind.soonest });
  }

  /**
   * Adds a job of a run, whose kind includes its depth and the process that holds its secrets. Returns whether this
   * process runs it right after the commit; a job that is running, or that commits while the process stops, stays due.
   */
  addWork(kind: string, ref: string, delayMs = 0): boolean {
    return this.work.add({ kind, ref, delayMs, soonest: false });
  }

  /** Throws `FenceLost` when another worker has claimed the job; call it before writing. */
  async requireFence(job: { id: number; fence: number }): Promise<void> {
    const held = await this.query(WORK.of(this.schema).fence, [job.id, job.fence]);
    if (held.length === 0) throw new FenceLost();
  }

  /**
   * Resets the attempts when a part of a job is recorded: a job of many parts is given up after five lost workers in a
   * row without progress, not after five in all. The caller has checked the fence.
   */
  async progressed(job: { id: number; fence: number; attempt: number }): Promise<void> {
    if (job.attempt === 1) return;
    await this.query(WORK.of(this.schema).progressed, [job.id, job.fence]);
    job.attempt = 1;
  }

  /**
   * The ids of the jobs that no other worker has claimed. Jobs are given in the order of their ids, so that two such
   * writes lock them in one order.
   */
  async heldFences(jobs: readonly { id: number; fence: number }[]): Promise<Set<number>> {
    const held = await this.query<{ id: number }>(WORK.of(this.schema).heldFences, [
      jobs.map(({ id }) => id),
      jobs.map(({ fence }) => fence),
    ]);
    return new Set(held.map(({ id }) => id));
  }

  /** Locks one row and checks the fence in one round trip. `select` returns at most one row, with a column `id`. */
  async lockFenced<Row extends { id: unknown }>(
    job: { id: number; fence: number },
    select: string,
    values: readonly unknown[],
  ): Promise<Row | null> {
    const [found] = await this.query<Row>(
      `WITH held AS MATERIALIZED (SELECT 1 FROM "${this.schema}".work
         WHERE id = $${values.length + 1} AND fence = $${values.length + 2} AND done_at IS NULL FOR SHARE)
       SELECT r.* FROM held LEFT JOIN (${select}) r ON true`,
      [...values, job.id, job.fence],
    );
    if (!found) throw new FenceLost();
    return found.id === null ? null : found;
  }

  async read<T>(view: View, id: number | string): Promise<JsonText<T> | null> {
    const rows = await this.query<{ body: string }>(
      `SELECT row_to_json(f)::text AS body FROM (SELECT ${fieldsSql(view, true)} FROM ${view.table} t
        WHERE t.company_id = $1 AND ${keySql(view)} = $2 AND ${aliveSql(view)} ${preferredSql(view)}) f`,
      [this.companyId, id],
    );
    return rows[0] ? new JsonText<T>(rows[0].body) : null;
  }

  async flush(): Promise<{ streams: OutboxStream[]; kinds: Set<string> }> {
    const traceparent = tracing?.traceparent ?? null;
    let hasMessages = this.outgoing.all.length > 0;
    const query: Query = (text, values) => {
      if (!hasMessages) return this.query(text, values);
      hasMessages = false;
      const messages = this.messagesFrom(values.length + 1, traceparent);
      return this.query(`WITH sent AS (${messages.text}) ${text}`, [...values, ...messages.values]);
    };
    const kinds = await this.work.insert(query, this.schema, traceparent);
    if (hasMessages) {
      const { text, values } = this.messagesFrom(1, traceparent);
      await this.query(text, values);
    }
    return { streams: this.outgoing.streams, kinds };
  }

  private messagesFrom(first: number, traceparent: string | null): { text: string; values: unknown[] } {
    const messages = this.outgoing.all;
    const [company, ids, subjects, payloads, trace] = [0, 1, 2, 3, 4].map((at) => `$${first + at}`);
    const text = `INSERT INTO "${this.schema}".outbox (message_id, company_id, subject, payload, traceparent)
      SELECT m::uuid, ${company}, s, p, ${trace}
      FROM unnest(${ids}::text[], ${subjects}::text[], ${payloads}::text[]) WITH ORDINALITY u(m, s, p, n) ORDER BY n`;
    const values = [
      this.companyId,
      messages.map(({ id }) => id),
      messages.map(({ subject }) => subject),
      messages.map(({ payload }) => payload),
      traceparent,
    ];
    return { text, values };
  }
}
