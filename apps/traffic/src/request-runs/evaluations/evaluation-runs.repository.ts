import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  type Caller,
  type Deleted,
  type EvaluationRun,
  type EvaluationRunRecord,
  type JsonText,
  type Key,
  notFound,
  type Page,
} from '@signalbox/contracts';
import { Database, filtersOf, type ListOptions, type Tx } from '@signalbox/database';
import { RunNotifications, Runs, StreamSubscribers } from '@signalbox/runs';
import {
  type EvaluationRunTrigger,
  evaluationRunStates,
  requireEnded,
  type RunningEvaluation,
} from './evaluation-run.js';
import { EVALUATION_RUN_WORK, EVALUATION_RUNS } from './evaluation-run-kind.js';
import {
  DELETE_EVENTS,
  DELETE_RUN,
  EVALUATION_RUN,
  EXTENT_OF_FAILED,
  LOCK_RUN,
  NUMBER_OF_RUN,
  RUN_BY_NUMBER,
} from './evaluation-runs.sql.js';

export type NewEvaluation = Pick<
  EvaluationRun,
  'name' | 'application_id' | 'intent_id' | 'start_date' | 'end_date' | 'sentinel_ids' | 'request_limit'
> & { sentinel_overrides: object; sentinels: readonly object[] };

/** SQL: clients know a run by its serial number, the library by its uuid. */
@Injectable()
export class EvaluationRuns extends Runs<RunningEvaluation, EvaluationRunTrigger, EvaluationRunRecord> {
  constructor(db: Database, notifications: RunNotifications, subscribers: StreamSubscribers) {
    super(EVALUATION_RUNS, db, notifications, subscribers);
  }

  create(caller: Caller, { sentinel_overrides, sentinels, ...run }: NewEvaluation): Promise<JsonText<EvaluationRun>> {
    return this.db.withCompany(caller, async (tx) => {
      const values = {
        status: 'QUEUED',
        ...run,
        sentinel_overrides: JSON.stringify(sentinel_overrides),
        sentinels: JSON.stringify(sentinels),
      };
      const id = randomUUID();
      await this.writes.accept(tx, { id, workKind: EVALUATION_RUN_WORK, values });
      const [row] = await tx.query<{ no: number }>(NUMBER_OF_RUN, [tx.companyId, id]);
      return this.readAudited(tx, row?.no ?? 0, 'create');
    });
  }

  /** 404 when the run does not exist, 409 when it has ended. */
  async cancel(caller: Caller, no: number): Promise<JsonText<EvaluationRun>> {
    const { id } = await this.running(caller.companyId, no);
    return this.cancels.cancel(caller, id, {}, (tx) => this.readAudited(tx, no, 'update'));
  }

  remove(caller: Caller, no: number): Promise<Deleted> {
    return this.db.withCompany(caller, async (tx) => {
      const run = await this.lock(tx, no);
      requireEnded(run);
      await tx.query(DELETE_RUN, [tx.companyId, run.id, Date.now()]);
      tx.audit({ action: 'delete', resource_type: 'evaluation_run', resource_id: String(no) });
      return { id: no, deleted: true };
    });
  }

  /** Judges the failed results of these classes again; a run without such results stays as it is. */
  reset(caller: Caller, no: number, classes: readonly string[] | null): Promise<JsonText<EvaluationRun>> {
    return this.db.withCompany(caller, async (tx) => {
      const run = await this.lock(tx, no);
      evaluationRunStates.move(run, 'reset');
      const [failed] = await tx.query<{ first: number | null; last: number | null }>(EXTENT_OF_FAILED, [
        tx.companyId,
        no,
        classes,
      ]);
      if (failed?.first == null || failed.last === null) return this.readIn(tx, no);
      await this.writes.move(tx, run, 'reset', {
        completed_at: null,
        error_message: null,
        reset_classes: classes,
        reset_cursor: failed.first - 1,
        reset_upto: failed.last,
      });
      // A stream has one end: that of the earlier execution goes with its events.
      await tx.query(DELETE_EVENTS, [tx.companyId, run.id]);
      tx.addWork(EVALUATION_RUN_WORK, run.id);
      return this.readAudited(tx, no, 'reset');
    });
  }

  list(companyId: number, input: ListOptions): Promise<JsonText<Page<EvaluationRun>>> {
    return this.db.list<EvaluationRun>(EVALUATION_RUN, companyId, {
      ...input,
      filters: filtersOf(EVALUATION_RUN, input),
    });
  }

  read(keys: readonly Key[]): Promise<(JsonText<EvaluationRun> | null)[]> {
    return this.db.readMany<EvaluationRun>(EVALUATION_RUN, keys);
  }

  async running(companyId: number, no: number): Promise<RunningEvaluation> {
    const [run] = await this.db.select<RunningEvaluation>(companyId, RUN_BY_NUMBER, [no]);
    if (!run) throw notFound('evaluation run');
    return run;
  }

  private async lock(tx: Tx, no: number): Promise<RunningEvaluation> {
    const [run] = await tx.query<RunningEvaluation>(LOCK_RUN, [tx.companyId, no]);
    if (!run) throw notFound('evaluation run');
    return run;
  }

  private async readIn(tx: Tx, no: number): Promise<JsonText<EvaluationRun>> {
    const read = await tx.read<EvaluationRun>(EVALUATION_RUN, no);
    if (!read) throw notFound('evaluation run');
    return read;
  }

  private async readAudited(
    tx: Tx,
    no: number,
    action: 'create' | 'update' | 'reset',
  ): Promise<JsonText<EvaluationRun>> {
    const read = await this.readIn(tx, no);
    const { status, sentinel_ids, application_id, intent_id } = JSON.parse(read.text) as EvaluationRun;
    const after = action === 'create' ? { status, sentinel_ids, application_id, intent_id } : { status };
    tx.audit({ action, resource_type: 'evaluation_run', resource_id: String(no), before: null, after });
    return read;
  }
}
