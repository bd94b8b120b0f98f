import { ApiError, type IdempotencyClaim, JsonText, type Key, type Page, invalidField } from '@signalbox/contracts';
import { asTransaction, type SpanOptions, tracing } from '@signalbox/platform';
import type { Client, Pool, PoolClient } from 'pg';
import { type DataSource, type QueryRunner } from 'typeorm';
import { fromPostgres, isSerializationFailure, isUnanswered } from './sql-errors.js';
import { LIST_TIMEOUT, MAX_OFFSET, OFFSET_RULE, totalOf, withTotal } from './lists/totals.js';
import type { ConnectionTurns } from './connection-turns.js';
import { AddedWork } from './stores/added-work.js';
import { IDEMPOTENT_CALLS } from './stores/idempotency.sql.js';
import { type AfterCommit } from './stores/after-commit.js';
import { type Statement, textOf } from './statement.js';
import { type Owner, Tx } from './tx.js';
import {
  COUNTED_WITH_PAGE,
  type ListOptions,
  pageTooLarge,
  type View,
  listSql,
  readManySql,
  scopedSql,
  sortRule,
  sortSql,
  statementName,
} from './view.js';

const MAX_TRIES = 3;

const succeeds = (step: Promise<unknown>): Promise<boolean> =>
  step.then(
    () => true,
    () => false,
  );

/**
 * The only access to the rows of a service. Writes run in `withCompany`; reads are single statements that set the
 * company themselves. Row-level security applies to both, so a missing filter exposes no row of another company.
 */
export class Database {
  private readonly span: SpanOptions = {
    kind: 'client',
    attributes: { 'db.system.name': 'postgresql', 'db.namespace': this.schema },
  };
  /** Claims of running calls that have already taken effect. */
  private readonly effective = new WeakSet<IdempotencyClaim>();

  constructor(
    readonly source: DataSource,
    readonly pool: Pool,
    /** Connections of the worker role, which can read only queue rows, of all companies. */
    readonly worker: Pool,
    readonly schema: string,
    private readonly added: AfterCommit,
    private readonly turns: ConnectionTurns,
  ) {}

  /** Runs `work` in one transaction of the owner's company; retried after a serialization failure or deadlock. */
  withCompany<T>(owner: Owner, work: (tx: Tx) => Promise<T>, uniqueViolations?: Record<string, string>): Promise<T> {
    if (!tracing) return this.attempts(owner, work, uniqueViolations);
    return tracing.runChild(`${this.schema} transaction`, this.span, () =>
      this.attempts(owner, work, uniqueViolations),
    );
  }

  private async attempts<T>(
    owner: Owner,
    work: (tx: Tx) => Promise<T>,
    uniqueViolations: Record<string, string> | undefined,
  ): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.turns.run(owner.companyId, () => this.attempt(owner, work));
      } catch (error) {
        if (attempt < MAX_TRIES && isSerializationFailure(error)) continue;
        throw fromPostgres(error, uniqueViolations);
      }
    }
  }

  private async attempt<T>(owner: Owner, work: (tx: Tx) => Promise<T>): Promise<T> {
    if (!Number.isInteger(owner.companyId) || owner.companyId < 1) throw new Error('a transaction needs a company');
    const runner: QueryRunner = this.source.createQueryRunner();
    const added = new AddedWork(owner.companyId, (kind) => this.added.slotsOf(kind));
    try {
      const client = (await runner.connect()) as PoolClient & Pick<Client, 'end'>;
      try {
        const tx = new Tx(runner.manager, owner, this.schema, client, added);
        const { result, streams, kinds } = await asTransaction(() => this.commit(tx, client, work));
        added.committed();
        this.added.notify(streams, kinds);
        return result;
      } catch (error) {
        // A rollback would wait behind the statement; the end of its connection rolls back as well.
        const isRolledBack = !isUnanswered(error) && (await succeeds(client.query('ROLLBACK')));
        // The pool does not take back a connection that is ending.
        if (!isRolledBack) void succeeds(client.end());
        throw error;
      }
    } finally {
      added.abandoned();
      await runner.release();
    }
  }

  private async commit<T>(tx: Tx, client: PoolClient, work: (tx: Tx) => Promise<T>) {
    await client.query(`BEGIN; SELECT set_config('app.company', '${tx.companyId}', true)`);
    const result = await work(tx);
    const added = await tx.flush();
    const claim = await this.recordEffect(tx, result);
    await client.query('COMMIT');
    if (claim) this.effective.add(claim);
    return { result, ...added };
  }

  /** The reply and the mark that the call took effect commit with the effect itself (docs/api/idempotency.md). */
  private async recordEffect(tx: Tx, result: unknown): Promise<IdempotencyClaim | undefined> {
    const claim = 'idempotency' in tx.owner ? tx.owner.idempotency : undefined;
    if (!claim || claim.earlier !== undefined) return undefined;
    // If the process died between the two transactions, a repeat would take the first one for the whole call.
    if (this.effective.has(claim))
      throw new Error(`${claim.route} opens a second transaction under one idempotency claim`);
    const hidden = (name: string, value: unknown): unknown => (claim.shownOnce?.includes(name) ? null : value);
    const effect =
      result instanceof JsonText ? (result as JsonText<unknown>).text : (JSON.stringify(result, hidden) ?? 'null');
    const values = [tx.companyId, claim.route, claim.key, effect, claim.holder ?? null];
    const held = await tx.query(IDEMPOTENT_CALLS.of(this.schema).recordEffect, values);
    // This attempt was suspended for so long that a repeat has claimed the key: its effect must not be added to that of
    // the repeat.
    if (held.length === 0) throw new ApiError('in_progress', 'a repeat of this call is in progress', { retryAfter: 1 });
    return claim;
  }

  /** Rows in the order of the keys, across companies, in one prepared statement. */
  async readMany<T>(
    view: View,
    keys: readonly { companyId: number; id: Key['id'] | string }[],
  ): Promise<(JsonText<T> | null)[]> {
    return this.lookUp(readManySql(view), [keys.map((key) => key.companyId), keys.map((key) => key.id)]);
  }

  async lookUp<T>(text: string, columns: readonly (readonly unknown[])[]): Promise<(JsonText<T> | null)[]> {
    const rows = await this.run<{ body: string | null }>(text, [...columns]);
    return rows.map(({ body }) => (body === null ? null : new JsonText<T>(body)));
  }

  async readOne<T>(view: View, companyId: number, id: number | string): Promise<JsonText<T> | null> {
    return (await this.readMany<T>(view, [{ companyId, id }]))[0] ?? null;
  }

  /**
   * One page of a view with its total; 400 when the bodies of its rows are too large together, or far down a list, and 504
   * when reading takes longer than a statement may.
   */
  async list<T>(view: View, companyId: number, options: ListOptions): Promise<JsonText<Page<T>>> {
    try {
      return await this.page(view, companyId, options);
    } catch (error) {
      throw error instanceof ApiError && error.kind === 'timeout' ? new ApiError('timeout', LIST_TIMEOUT) : error;
    }
  }

  private async page<T>(view: View, companyId: number, options: ListOptions): Promise<JsonText<Page<T>>> {
    const order = sortSql(view, options.sort);
    if (order === null) throw invalidField('sort', sortRule(view));
    const { offset, limit } = options;
    if (offset > MAX_OFFSET) throw invalidField('offset', OFFSET_RULE);
    const { text, values, selected } = listSql(view, options, order);
    const read = () => this.run<{ page: string | null; total: number }>(text, [companyId, ...values]);
    const [row] = await this.turns.run(companyId, read);
    if (row?.page == null) throw pageTooLarge();
    if (row.total <= COUNTED_WITH_PAGE) return new JsonText(row.page);
    const total = options.countMany
      ? { total: await options.countMany(), isEstimate: false }
      : await totalOf(selected, companyId, (work) => this.withCompany({ companyId }, work));
    return new JsonText(withTotal(row.page, total, offset, limit));
  }

  /**
   * Runs one read statement for a company. It selects from `s`, a one-row table whose evaluation sets `company`,
   * through a lateral subquery: `… FROM s, LATERAL (SELECT … WHERE t.company_id = s.company …) r`.
   */
  async select<Row extends object>(
    companyId: number,
    statement: Statement<'read'> | string,
    values: unknown[] = [],
  ): Promise<Row[]> {
    return this.turns.run(companyId, () => this.run<Row>(scopedSql(textOf(statement)), [companyId, ...values]));
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

  /** Only for queue rows: the worker role sees nothing else. */
  async asWorker<Row extends object>(statement: Statement<'worker'> | string, values: unknown[] = []): Promise<Row[]> {
    const text = textOf(statement);
    try {
      const result = await this.worker.query<Row>({ name: statementName(text), text, values });
      return result.rows;
    } catch (error) {
      throw fromPostgres(error);
    }
  }
}
