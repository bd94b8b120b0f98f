import {
  ApiError,
  type Caller,
  type Emission,
  type IdempotencyClaim,
  invalidField,
  JsonText,
  type Key,
  type Page,
} from '@signalbox/contracts';
import { FenceLost, type OutboxStream, type SpanOptions, tracing } from '@signalbox/platform';
import type { Pool, PoolClient } from 'pg';
import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { arrayParameter } from './array-parameter.js';
import { AddedWork, type Query } from './stores/added-work.js';
import { isBulk, runBulk } from './bulk-statement.js';
import { type AfterCommit } from './stores/after-commit.js';
import { type AuditNote, OutgoingMessages } from './stores/outgoing-messages.js';
import { fromPostgres, isSerializationFailure } from './sql-errors.js';
import {
  fieldsSql,
  keySql,
  aliveSql,
  type ListOptions,
  listSql,
  readManySql,
  sortRule,
  sortSql,
  statementName,
  type View,
} from './view.js';

/** The owner of a transaction: a caller, or a company in background work. */
export type Owner = Caller | { companyId: number };

const keyIdOf = (owner: Owner): number | null => ('keyId' in owner ? owner.keyId : null);
const requestIdOf = (owner: Owner): string => ('requestId' in owner ? owner.requestId : '');

/** A transaction of one company. The events it emits commit with it or not at all. */
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

  /** Runs a prepared statement of this transaction. */
  async query<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    const name = statementName(text);
    if (isBulk(values)) return runBulk<Row>(this.client, name, text, values);
    const result = await this.client.query<Row>({ name, text, values });
    return result.rows;
  }

  /** Publishes lifecycle events if and only if the transaction commits; values too large for a message are left out. */
  emit(...emissions: Emission[]): void {
    this.outgoing.events(emissions);
  }

  /**
   * Like `emit`, for transactions that change rows in bulk: adjacent events of one kind share a message. Consumers
   * still receive each of them as one event.
   */
  emitTogether(emissions: readonly Emission[]): void {
    this.outgoing.eventsTogether(emissions);
  }

  /** Adds an entry to the company's audit log when the transaction commits. */
  audit(note: AuditNote): void {
    const { companyId } = this;
    this.outgoing.audit(note, { companyId, keyId: keyIdOf(this.owner), requestId: requestIdOf(this.owner) });
  }

  /** Adds a job, or makes a finished one due again. */
  addWork(kind: string, ref: string, delayMs = 0): void {
    this.work.add({ kind, ref, delayMs });
  }

  /** Refuses the write when another worker has claimed the job in the meantime; call it before writing. */
  async requireFence(job: { id: number; fence: number }): Promise<void> {
    const held = await this.query(
      `SELECT 1 FROM "${this.schema}".work WHERE id = $1 AND fence = $2 AND done_at IS NULL FOR SHARE`,
      [job.id, job.fence],
    );
    if (held.length === 0) throw new FenceLost();
  }

  /** Reads the view of one row of the company as JSON text; null when it does not exist. */
  async read<T>(view: View, id: number | string): Promise<JsonText<T> | null> {
    const rows = await this.query<{ body: string }>(
      `SELECT row_to_json(f)::text AS body FROM (SELECT ${fieldsSql(view, true)} FROM ${view.table} t
        WHERE t.company_id = $1 AND ${keySql(view)} = $2 AND ${aliveSql(view)}) f`,
      [this.companyId, id],
    );
    return rows[0] ? new JsonText<T>(rows[0].body) : null;
  }

  /** Writes the collected messages and work; returns which loops to wake after the commit. */
  async flush(): Promise<{ streams: OutboxStream[]; kinds: Set<string> }> {
    const messages = this.outgoing.all;
    const traceparent = tracing?.traceparent ?? null;
    if (messages.length > 0) {
      await this.query(
        `INSERT INTO "${this.schema}".outbox (message_id, company_id, subject, payload, traceparent)
         SELECT m::uuid, $1, s, p, $5 FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY u(m, s, p, n) ORDER BY n`,
        [
          this.companyId,
          ...[
            messages.map(({ id }) => id),
            messages.map(({ subject }) => subject),
            messages.map(({ payload }) => payload),
          ].map((texts) => arrayParameter('text', texts)),
          traceparent,
        ],
      );
    }
    const query: Query = (text, values) => this.query(text, values);
    const kinds = await this.work.insert(query, this.schema, { companyId: this.companyId, traceparent });
    return { streams: this.outgoing.streams, kinds };
  }
}

const MAX_TRIES = 3;

/**
 * The only access to the rows of a service. Writes run in `withCompany`; reads are single statements that set the
 * company themselves. Row-level security applies to both, so that a missing filter exposes no row of another company.
 */
export class Database {
  /** How transactions appear in a trace; statements and values stay out. */
  private readonly span: SpanOptions = {
    kind: 'client',
    attributes: { 'db.system.name': 'postgresql', 'db.namespace': this.schema },
  };
  /** Claims of running calls that have already taken effect. */
  private readonly effective = new WeakSet<IdempotencyClaim>();

  constructor(
    readonly source: DataSource,
    /** Connections of the narrow worker role, which can read only queue rows, of all companies. */
    readonly worker: Pool,
    readonly schema: string,
    private readonly added: AfterCommit,
  ) {}

  private get pool(): Pool {
    return (this.source.driver as unknown as { master: Pool }).master;
  }

  /** Runs `work` in one transaction of the owner's company; retried after a serialization failure or deadlock. */
  withCompany<T>(owner: Owner, work: (tx: Tx) => Promise<T>, taken?: Record<string, string>): Promise<T> {
    if (!tracing) return this.attempts(owner, work, taken);
    return tracing.runChild(`${this.schema} transaction`, this.span, () => this.attempts(owner, work, taken));
  }

  private async attempts<T>(
    owner: Owner,
    work: (tx: Tx) => Promise<T>,
    taken: Record<string, string> | undefined,
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.attempt(owner, work);
      } catch (error) {
        if (attempt < MAX_TRIES && isSerializationFailure(error)) continue;
        throw fromPostgres(error, taken);
      }
    }
  }

  private async attempt<T>(owner: Owner, work: (tx: Tx) => Promise<T>): Promise<T> {
    if (!Number.isInteger(owner.companyId) || owner.companyId < 1) throw new Error('a transaction needs a company');
    const runner: QueryRunner = this.source.createQueryRunner();
    const added = new AddedWork((kind) => this.added.slotsOf(kind));
    let broken: Error | undefined;
    try {
      const client = (await runner.connect()) as PoolClient;
      await client.query(`BEGIN; SELECT set_config('app.company', '${owner.companyId}', true)`);
      const tx = new Tx(runner.manager, owner, this.schema, client, added);
      try {
        const result = await work(tx);
        const { streams, kinds } = await tx.flush();
        const claim = await this.recordEffect(tx, result);
        await client.query('COMMIT');
        if (claim) this.effective.add(claim);
        added.committed();
        this.added.notify(streams, kinds);
        return result;
      } catch (error) {
        await client.query('ROLLBACK').catch((failure: Error) => (broken = failure));
        throw error;
      }
    } finally {
      added.abandoned();
      await this.release(runner, broken);
    }
  }

  /** A connection whose rollback failed is destroyed and not reused. */
  private async release(runner: QueryRunner, broken: Error | undefined): Promise<void> {
    const inner = runner as unknown as { releaseCallback?: (error?: Error) => void };
    if (broken && inner.releaseCallback) {
      const release = inner.releaseCallback;
      inner.releaseCallback = () => release(broken);
    }
    await runner.release();
  }

  /** The reply and the mark that the call took effect commit with the effect itself (api.md 1.9). */
  private async recordEffect(tx: Tx, result: unknown): Promise<IdempotencyClaim | undefined> {
    const claim = 'idempotency' in tx.owner ? tx.owner.idempotency : undefined;
    if (!claim || claim.earlier !== undefined) return undefined;
    // If the process died between the two transactions, a repeat would take the first one for the whole call.
    if (this.effective.has(claim))
      throw new Error(`${claim.route} opens a second transaction under one idempotency claim`);
    const hidden = (name: string, value: unknown): unknown => (claim.shownOnce?.includes(name) ? null : value);
    const effect =
      result instanceof JsonText ? (result as JsonText<unknown>).text : (JSON.stringify(result, hidden) ?? 'null');
    const held = await tx.query(
      `UPDATE "${this.schema}".idempotency SET effect = $4
       WHERE company_id = $1 AND route = $2 AND key = $3 AND holder IS NOT DISTINCT FROM $5::uuid RETURNING 1`,
      [tx.companyId, claim.route, claim.key, effect, claim.holder ?? null],
    );
    // This attempt was suspended for so long that a repeat has claimed the key: its effect must not be added to that of
    // the repeat.
    if (held.length === 0) throw new ApiError('in_progress', 'a repeat of this call is in progress', { retryAfter: 1 });
    return claim;
  }

  /** Reads rows by key, in the order of the keys and across companies, in one prepared statement. */
  async readMany<T>(
    view: View,
    keys: readonly { companyId: number; id: Key['id'] | string }[],
  ): Promise<(JsonText<T> | null)[]> {
    const text = readManySql(view);
    const values = [keys.map((key) => key.companyId), keys.map((key) => key.id)];
    const rows = await this.run<{ body: string | null }>(text, values);
    return rows.map(({ body }) => (body === null ? null : new JsonText<T>(body)));
  }

  /** Reads one row by key, null when it does not exist in that company. */
  async readOne<T>(view: View, companyId: number, id: number | string): Promise<JsonText<T> | null> {
    return (await this.readMany<T>(view, [{ companyId, id }]))[0] ?? null;
  }

  /** One page of a view with its exact total. */
  async list<T>(view: View, companyId: number, options: ListOptions): Promise<JsonText<Page<T>>> {
    const order = sortSql(view, options.sort);
    if (order === null) throw invalidField('sort', sortRule(view));
    const { text, values } = listSql(view, options, order);
    const rows = await this.run<{ page: string }>(text, [companyId, ...values]);
    return new JsonText(rows[0]?.page ?? 'null');
  }

  /**
   * Runs a single read statement for a company. The text selects from `s`, a one-row table whose evaluation sets
   * `company`, through a lateral subquery: `… FROM s, LATERAL (SELECT … WHERE t.company_id = s.company …) r`.
   */
  async select<Row extends object>(companyId: number, text: string, values: unknown[] = []): Promise<Row[]> {
    const scoped = `WITH s AS MATERIALIZED (SELECT set_config('app.company', $1::text, true)::int AS company) ${text}`;
    return this.run<Row>(scoped, [companyId, ...values]);
  }

  private run<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
    if (!tracing) return this.statement(text, values);
    return tracing.runChild(`${this.schema} read`, this.span, () => this.statement<Row>(text, values));
  }

  private async statement<Row extends object>(text: string, values: unknown[]): Promise<Row[]> {
    try {
      const result = await this.pool.query<Row>({ name: statementName(text), text, values });
      return result.rows;
    } catch (error) {
      throw fromPostgres(error);
    }
  }

  /** Runs a statement under the worker role; only for queue rows. */
  async asWorker<Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> {
    try {
      const result = await this.worker.query<Row>({ name: statementName(text), text, values });
      return result.rows;
    } catch (error) {
      throw fromPostgres(error);
    }
  }
}
