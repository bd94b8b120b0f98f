import {
  type Caller,
  type Deleted,
  type Emission,
  type EmittedEvent,
  JsonText,
  type Key,
  notFound,
  type Page,
} from '@signalbox/contracts';
import { changedFields, picked } from './bounded-record.js';
import type { Database } from './database.js';
import { NOW_MS } from './schema/schema.js';
import type { Owner, Tx } from './tx.js';
import { aliveSql, fieldsSql, type Filter, filtersOf, keySql, type ListOptions } from './view.js';
import type { Decision, Rule, TenantRow, Resource, Prepare } from './resource.js';

const SECRET = '[secret]';
const SLICE = 100;

/** Increases even when the clock of the database was set back. */
const laterThanBefore = (): string => `GREATEST(${NOW_MS}, date_updated + 1)`;

/**
 * Reads and changes the rows of one resource. Every change is one transaction: the row is locked within the company, a
 * pure rule decides, the row is saved, and events and the audit entry commit with it.
 */
export class CompanyRepository<Row extends TenantRow, Wire extends object, Listed extends object = Wire> {
  constructor(
    readonly db: Database,
    readonly resource: Resource<Row>,
  ) {}

  read(keys: readonly Key[]): Promise<(JsonText<Wire> | null)[]> {
    return this.db.readMany<Wire>(this.resource.view, keys);
  }

  /** 404 when it does not exist in the company. */
  async get(companyId: number, id: number): Promise<JsonText<Wire>> {
    return (await this.db.readOne<Wire>(this.resource.view, companyId, id)) ?? this.missing();
  }

  list(companyId: number, options: ListOptions): Promise<JsonText<Page<Listed>>> {
    return this.db.list<Listed>(this.resource.view, companyId, options);
  }

  listBy(companyId: number, input: ListOptions): Promise<JsonText<Page<Listed>>> {
    return this.list(companyId, { ...input, filters: filtersOf(this.resource.view, input) });
  }

  /** Inserts a row and emits its events; `prepare` may check other rows in the same transaction first. */
  create(
    caller: Owner,
    values: Partial<Row>,
    events: EmittedEvent[],
    prepare?: (tx: Tx) => Promise<void>,
  ): Promise<JsonText<Wire>> {
    return this.db.withCompany(
      caller,
      async (tx) => {
        await prepare?.(tx);
        return this.createIn(tx, values, events);
      },
      this.resource.uniqueViolations,
    );
  }

  /**
   * Like `create`, inside an existing transaction; `fill` adds dependent rows before the record is read and its events
   * are emitted.
   */
  async createIn(
    tx: Tx,
    values: Partial<Row>,
    events: EmittedEvent[],
    fill?: (id: number) => Promise<void>,
    action = 'create',
  ): Promise<JsonText<Wire>> {
    const id = await this.insert(tx, values);
    if (fill) {
      await fill(id);
      await this.written(tx, id);
    }
    const after = await this.mustRead(tx, id);
    this.emitAndAudit(tx, id, { events, action }, undefined, after);
    return after;
  }

  async insert(tx: Tx, values: Partial<Row>): Promise<number> {
    const result = await tx.manager
      .createQueryBuilder()
      .insert()
      .into(this.resource.entity)
      .values({ ...values, company_id: tx.companyId } as never)
      .returning('id')
      .execute();
    const id = (result.raw as { id: number }[])[0]?.id ?? 0;
    await this.written(tx, id);
    return id;
  }

  /** Hook to update derived data: after an insert or update, before the row is read again. */
  protected written(_tx: Tx, _id: number): Promise<void> {
    return Promise.resolve();
  }

  change(caller: Owner, id: number, rule: Rule<Row>, prepare?: Prepare<Row>): Promise<JsonText<Wire>> {
    return this.db.withCompany(caller, (tx) => this.changeIn(tx, id, rule, prepare), this.resource.uniqueViolations);
  }

  async changeIn(tx: Tx, id: number, rule: Rule<Row>, prepare?: Prepare<Row>): Promise<JsonText<Wire>> {
    const { row, before } = await this.lock(tx, id);
    const decision = rule(row);
    await prepare?.(tx, row, decision);
    if (decision.set) await this.update(tx, id, decision.set);
    else if (!decision.events?.length) return before;
    const after = await this.mustRead(tx, id);
    this.emitAndAudit(tx, id, decision, before, after);
    return after;
  }

  /**
   * Applies a rule to each row that meets a condition, a hundred per transaction; a changed row must no longer meet it.
   * Returns the number of rows.
   */
  async changeEach(owner: Owner, condition: Filter, rule: Rule<Row>): Promise<number> {
    let changed = 0;
    for (let slice = SLICE; slice === SLICE; changed += slice)
      slice = await this.db.withCompany(
        owner,
        (tx) => this.changeSlice(tx, condition, rule),
        this.resource.uniqueViolations,
      );
    return changed;
  }

  private async changeSlice(tx: Tx, { sql, value }: Filter, rule: Rule<Row>): Promise<number> {
    const { view } = this.resource;
    const rows = await tx.query<{ id: number }>(
      `SELECT t.id FROM ${view.table} t WHERE t.company_id = $1 AND ${sql.replace('?', '$2')} AND ${aliveSql(view)}
       ORDER BY t.id LIMIT ${SLICE} FOR NO KEY UPDATE`,
      [tx.companyId, value],
    );
    for (const { id } of rows) await this.changeIn(tx, id, rule);
    return rows.length;
  }

  /** Deletes logically: reads return 404 from then on and unique names are free. */
  remove(caller: Caller, id: number, rule: Rule<Row>, prepare?: Prepare<Row>): Promise<Deleted> {
    return this.db.withCompany(caller, async (tx) => {
      const { row, before } = await this.lock(tx, id);
      const decision = rule(row);
      await prepare?.(tx, row, decision);
      await this.update(tx, id, { ...decision.set, deleted_at: () => NOW_MS });
      this.emitAndAudit(tx, id, { action: 'delete', ...decision }, before, undefined);
      return { id, deleted: true };
    });
  }

  /**
   * Locks and reads a row of the company; 404 when it does not exist. Concurrent inserts that reference it are not
   * blocked.
   */
  async lock(tx: Tx, id: number): Promise<{ row: Row; before: JsonText<Wire> }> {
    const { view } = this.resource;
    const rows = await tx.query<{ row: Row; before: string }>(
      `SELECT to_jsonb(t) AS row, (SELECT row_to_json(f)::text FROM (SELECT ${fieldsSql(view, true)}) f) AS before
       FROM ${view.table} t WHERE t.company_id = $1 AND ${keySql(view)} = $2 AND ${aliveSql(view)} FOR NO KEY UPDATE OF t`,
      [tx.companyId, id],
    );
    const found = rows[0];
    return found ? { row: found.row, before: new JsonText<Wire>(found.before) } : this.missing();
  }

  private async update(tx: Tx, id: number, set: object): Promise<void> {
    await tx.manager
      .createQueryBuilder()
      .update(this.resource.entity)
      .set({ ...set, date_updated: laterThanBefore } as never)
      .where('company_id = :companyId AND id = :id', { companyId: tx.companyId, id })
      .execute();
    await this.written(tx, id);
  }

  private async mustRead(tx: Tx, id: number): Promise<JsonText<Wire>> {
    return (await tx.read<Wire>(this.resource.view, id)) ?? this.missing();
  }

  private missing(): never {
    throw notFound(this.resource.view.resource);
  }

  private emitAndAudit(
    tx: Tx,
    id: number,
    decision: Decision<Row>,
    before?: JsonText<Wire>,
    after?: JsonText<Wire>,
  ): void {
    const earlier = before && (JSON.parse(before.text) as Record<string, unknown>);
    const record = after && (JSON.parse(after.text) as Record<string, unknown>);
    const slim = Object.fromEntries(Object.entries(record ?? earlier ?? {}).filter(([name]) => !this.isLarge(name)));
    const emissions: Emission[] = (decision.events ?? []).map(({ event, extra }) => ({
      event,
      resource: { type: this.resource.type, id },
      // Others, such as the revocation of a key, carry the last record.
      data: { ...(event.endsWith('.deleted') ? { id } : slim), ...extra },
    }));
    tx.emit(...emissions);
    tx.audit({
      action: decision.action ?? 'update',
      resource_type: this.resource.type,
      resource_id: String(id),
      ...this.audited(decision, earlier, record),
      ...(decision.reason ? { reason: decision.reason } : {}),
    });
  }

  private audited(
    { secrets = [] }: Decision<Row>,
    before: Record<string, unknown> | undefined,
    after: Record<string, unknown> | undefined,
  ): { before: object | null; after: object | null } {
    const { audited = (kept) => kept } = this.resource;
    const written = Object.fromEntries(secrets.map((name) => [name, SECRET]));
    if (!before || !after)
      return { before: before ? audited(before) : null, after: after ? { ...audited(after), ...written } : null };
    // Compared unmasked: a replaced secret looks the same once masked.
    const changed = changedFields(before, after).filter((name) => name !== 'date_updated');
    return {
      before: picked(audited(before), changed),
      after: { ...picked(audited(after), changed), ...written },
    };
  }

  private isLarge(name: string): boolean {
    const { view } = this.resource;
    return (view.large?.includes(name) ?? false) || (view.detail !== undefined && name in view.detail);
  }
}
