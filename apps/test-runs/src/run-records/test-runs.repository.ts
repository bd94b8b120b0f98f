import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  type Caller,
  type ConsumerKind,
  type Deleted,
  emission,
  type JsonText,
  maskLiterals,
  notFound,
  type Page,
  type TestRun,
  testEvents,
} from '@signalbox/contracts';
import { Database, type ListOptions, type Tx, type Statement, filtersOf } from '@signalbox/database';
import { RunNotifications, SecretHolder } from '@signalbox/runs';
import { CALL_CANCEL, type LockedTestRun, RUN_WORK, TestRuns } from './test-run-kind.js';
import {
  CALLS_OF_RUN,
  DELETE_RUN,
  LOCK_RUN,
  LOCK_SET,
  NUMBER_OF_RUN,
  testRunView,
  FIND_BY_NUMBER,
  FIND_BY_ID,
  SET_FIELDS,
} from './test-runs.sql.js';
import { LOCK_CRITERIA } from '../criteria/index.js';

interface RunFilters {
  test_set_id?: number | undefined;
  consumer_kind?: readonly string[] | undefined;
  consumer_id?: number | undefined;
  status?: readonly string[] | undefined;
}

export interface NewTestRun {
  test_set_id: number;
  name: string | null;
  description: string | null;
  meta: Record<string, unknown>;
  consumer_kind: ConsumerKind;
  consumer_config: object;
  consumer_id: number | null;
  target_name: string | null;
  criteria_ids: number[];
  auto_score: boolean;
  repeats: number;
}

export type CreatedRun = Omit<NewTestRun, 'criteria_ids'> & { criteria_ids?: number[] };

const missing = (): never => {
  throw notFound('test run');
};

@Injectable()
export class TestRunRows {
  constructor(
    readonly db: Database,
    private readonly runs: TestRuns,
    private readonly notifications: RunNotifications,
    private readonly secrets: SecretHolder,
  ) {}

  async get(companyId: number, no: number): Promise<JsonText<TestRun>> {
    return (await this.db.readOne<TestRun>(testRunView, companyId, no)) ?? missing();
  }

  listBy(companyId: number, input: ListOptions & RunFilters): Promise<JsonText<Page<TestRun>>> {
    return this.db.list<TestRun>(testRunView, companyId, { ...input, filters: filtersOf(testRunView, input) });
  }

  async find(companyId: number, no: number): Promise<LockedTestRun> {
    return (await this.select(companyId, FIND_BY_NUMBER, no)) ?? missing();
  }

  load(companyId: number, id: string): Promise<LockedTestRun | null> {
    return this.select(companyId, FIND_BY_ID, id);
  }

  private async select(companyId: number, find: Statement<'read'>, value: unknown): Promise<LockedTestRun | null> {
    return (await this.db.select<LockedTestRun>(companyId, find, [value]))[0] ?? null;
  }

  async lock(tx: Tx, no: number): Promise<LockedTestRun> {
    const [run] = await tx.query<LockedTestRun>(LOCK_RUN, [tx.companyId, no]);
    return run ?? missing();
  }

  async read(tx: Tx, no: number): Promise<JsonText<TestRun>> {
    return (await tx.read<TestRun>(testRunView, no)) ?? missing();
  }

  create(caller: Caller, values: CreatedRun): Promise<JsonText<TestRun>> {
    return this.db.withCompany(caller, async (tx) => this.audited(tx, await this.createIn(tx, values), 'create'));
  }

  /** Returns the public id. */
  async createIn(tx: Tx, { criteria_ids, ...values }: CreatedRun): Promise<number> {
    const [set] = await tx.query<{ criteria_ids: number[] }>(LOCK_SET, [tx.companyId, values.test_set_id]);
    if (!set) throw notFound('test set');
    const criteria = [...new Set(criteria_ids ?? set.criteria_ids)];
    await this.requireCriteria(tx, criteria);
    const id = randomUUID();
    await this.runs.writes.accept(tx, { id, workKind: RUN_WORK, withoutWork: true, values: rowOf(values, criteria) });
    const [row] = await tx.query<{ no: number }>(NUMBER_OF_RUN, [tx.companyId, id]);
    return row?.no ?? 0;
  }

  /** 404 when one of the criteria does not exist. */
  async requireExisting(companyId: number, ids: readonly number[]): Promise<void> {
    await this.db.withCompany({ companyId }, (tx) => this.requireCriteria(tx, [...new Set(ids)]));
  }

  /** 404 when one of the criteria does not exist; locks them against deletion. */
  async requireCriteria(tx: Tx, ids: readonly number[]): Promise<void> {
    const found = await tx.query(LOCK_CRITERIA, [tx.companyId, ids]);
    if (found.length < ids.length) throw notFound('evaluation criteria');
  }

  update(caller: Caller, no: number, change: Partial<Pick<NewTestRun, 'name' | 'description' | 'meta'>>) {
    return this.db.withCompany(caller, async (tx) => {
      await this.lock(tx, no);
      const names = Object.keys(change);
      if (names.length === 0) return this.read(tx, no);
      const before = JSON.parse((await this.read(tx, no)).text) as Record<string, unknown>;
      const values = Object.values(change).map((value) =>
        typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
      );
      await tx.query(SET_FIELDS(names), [tx.companyId, no, ...values]);
      return this.audited(tx, no, 'update', Object.fromEntries(names.map((name) => [name, before[name]])), change);
    });
  }

  /** Deletes the items as well, and has the tasks and workflow runs cancelled that these have started. */
  async remove(caller: Caller, no: number): Promise<Deleted> {
    const { id, last_seq } = await this.db.withCompany(caller, async (tx) => {
      const run = await this.lock(tx, no);
      const before = auditedRun(JSON.parse((await this.read(tx, no)).text) as Record<string, unknown>);
      await this.cancelCalls(tx, run);
      await tx.query(DELETE_RUN, [tx.companyId, no]);
      tx.emit(emission(testEvents, 'test_run.deleted', no, { id: no }));
      tx.audit({ action: 'delete', resource_type: 'test_run', resource_id: String(no), before, after: null });
      return run;
    });
    this.secrets.forget(id);
    const gone = { seq: last_seq + 1, type: 'run.deleted', data: { run_id: no, timestamp: Date.now() } };
    this.notifications.publish([{ id, events: [gone] }]);
    return { id: no, deleted: true };
  }

  /** Only items that are executed or were cancelled have the id of a call; other calls end with their worker. */
  private async cancelCalls(tx: Tx, { id, consumer_kind, consumer_id }: LockedTestRun): Promise<void> {
    if (consumer_id === null || (consumer_kind !== 'AGENT' && consumer_kind !== 'WORKFLOW')) return;
    const calls = await tx.query<{ call_id: string }>(CALLS_OF_RUN, [tx.companyId, id]);
    const call = { run_id: id, consumer_kind, consumer_id, cancelled_at: Date.now() };
    for (const { call_id } of calls) tx.addJob(CALL_CANCEL, { ...call, call_id });
  }

  async audited(tx: Tx, no: number, action: string, before: object | null = null, after?: object) {
    const record = await this.read(tx, no);
    tx.audit({
      action,
      resource_type: 'test_run',
      resource_id: String(no),
      before,
      after: after ?? auditedRun(JSON.parse(record.text) as Record<string, unknown>),
    });
    return record;
  }
}

/** Without literal credentials in the headers of a program that runs elsewhere. */
function auditedRun(record: Record<string, unknown>): object {
  const config = record.consumer_config as { headers?: object };
  return config.headers ? { ...record, consumer_config: { ...config, headers: maskLiterals(config.headers) } } : record;
}

const rowOf = (
  { consumer_config, meta, ...values }: Omit<NewTestRun, 'criteria_ids'>,
  criteria: readonly number[],
): Record<string, unknown> => ({
  ...values,
  status: 'CREATED',
  meta: JSON.stringify(meta),
  consumer_config: JSON.stringify(consumer_config),
  criteria_ids: criteria,
});
