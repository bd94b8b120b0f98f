import { Injectable } from '@nestjs/common';
import {
  type Caller,
  emission,
  type JsonText,
  type ResetTestRun,
  type ScoringStatus,
  type TestRun,
  testEvents,
} from '@signalbox/contracts';
import { Database, type Tx } from '@signalbox/database';
import type { SecretBag } from '@signalbox/egress';
import type { Job } from '@signalbox/platform';
import { type CommittedEvents, NOW, RunNotifications, SecretHolder } from '@signalbox/runs';
import { CANCELLED, type CheckedInputs, type ItemResult, SECRETS_UNAVAILABLE } from '../consumers/index.js';
import { type Reset, ResetItems } from '../run-items/index.js';
import { ScoreSummaries, Scorings } from '../scoring/index.js';
import {
  CANCEL_WORK,
  forgetEvents,
  ITEM_WORK,
  type LockedTestRun,
  moved,
  RUN_WORK,
  startsNow,
  TestRunRows,
  TestRuns,
} from '../run-records/index.js';
import {
  CANCELLED_ITEM,
  CONDUCTED_RUN,
  COUNT_ITEMS,
  DELETE_OWN_SCORING,
  DROP_SECRETS,
  FAIL_ITEMS,
  NOTE_RUN_OF_SET,
  PENDING_ITEMS,
} from './test-run-lifecycle.sql.js';

export interface ConductedRun extends LockedTestRun {
  open_items: number;
  scoring: { status: ScoringStatus; is_partial: boolean } | null;
}

interface Start {
  concurrency: number;
  bag: SecretBag | undefined;
}

/** SQL: the items of a run are counted and reset in bulk. */
@Injectable()
export class TestRunLifecycle {
  constructor(
    private readonly db: Database,
    private readonly runs: TestRuns,
    private readonly rows: TestRunRows,
    private readonly items: ResetItems,
    private readonly summaries: ScoreSummaries,
    private readonly scorings: Scorings,
    private readonly secrets: SecretHolder,
    private readonly notifications: RunNotifications,
  ) {}

  async load(companyId: number, id: string): Promise<ConductedRun | null> {
    const [run] = await this.db.select<ConductedRun>(companyId, CONDUCTED_RUN, [id]);
    return run ?? null;
  }

  /** No effect on a run that is executing. */
  execute(caller: Caller, no: number, start: Start): Promise<JsonText<TestRun>> {
    return this.changeLocked(caller, no, async (tx, run, hold) => {
      if (!startsNow({ ...run, no })) return this.rows.read(tx, no);
      hold(start.bag);
      await this.executeIn(tx, run, start);
      return this.rows.audited(tx, no, 'update');
    });
  }

  async executeIn(tx: Tx, run: LockedTestRun, start: Start): Promise<void> {
    await this.runs.writes.move(tx, run, 'execute', { started_at: NOW, ...this.started(start) });
    await this.addJobs(tx, run, start);
    await tx.query(NOTE_RUN_OF_SET, [tx.companyId, run.test_set_id]);
  }

  reset(caller: Caller, found: LockedTestRun, reset: Reset, bag: SecretBag | undefined): Promise<ResetTestRun> {
    return this.items.withCheckedInputs(caller, found, reset, (inputs) =>
      this.resetChecked(caller, found.no, reset, { bag, inputs }),
    );
  }

  private resetChecked(
    caller: Caller,
    no: number,
    reset: Reset,
    { bag, inputs }: { bag: SecretBag | undefined; inputs: CheckedInputs },
  ): Promise<ResetTestRun> {
    return this.changeLocked(caller, no, async (tx, run, hold) => {
      moved({ ...run, no }, 'reset');
      const count = await this.items.reset(tx, run, reset, inputs);
      if (count === 0) return { ...parsed(await this.rows.read(tx, no)), reset_count: 0 };
      // A run with items that the cancellation ended stays a cancelled one: no gate accepts it.
      const [cancelled] = await tx.query(CANCELLED_ITEM, [tx.companyId, run.id, CANCELLED.error_code]);
      hold(bag);
      const { concurrency } = run;
      const { record } = await this.runs.writes.move(tx, run, 'reset', {
        completed_at: null,
        totals: null,
        scored_at: null,
        matched_items: null,
        match_rate: null,
        ...(cancelled ? {} : { cancelled_at: null }),
        scored_with: null,
        ...this.started({ concurrency, bag }),
      });
      await forgetEvents(tx, run.id);
      // The scores that decide are made again when the items have ended.
      await tx.query(DELETE_OWN_SCORING, [tx.companyId, run.id]);
      tx.emit(emission(testEvents, 'test_run.reset', no, { ...record, count, classes: [...reset.classes] }));
      await this.addJobs(tx, run, { concurrency, bag });
      return { ...parsed(await this.rows.audited(tx, no, 'reset')), reset_count: count };
    });
  }

  /**
   * With `scored` the scores are summed up in the same transaction. When scores have begun anew since the job has read
   * the run, it goes on in place of that.
   */
  async complete(job: Job, scored: boolean): Promise<void> {
    await this.runs.writes.fenced(job, job.ref, async (tx, run) => {
      const counts = await this.counts(tx, run.id);
      const { open, completed, failed } = counts;
      if (open > 0) return [];
      const scoring = scored ? await this.scorings.ofRun(tx, run.id) : null;
      if (scored && (scoring?.status !== 'SCORED' || scoring.is_partial)) {
        tx.addWork(job.kind, job.ref);
        return [];
      }
      await this.runs.writes.move(tx, run, 'complete', { ...completion(counts), date_updated: NOW });
      if (scoring) await this.summaries.sumUp(tx, run, scoring);
      return [{ event: { type: 'run.completed', data: { run_id: run.no, completed, failed } } }];
    });
  }

  /** All items are scored before the run completes. */
  async beginScoring(job: Job): Promise<void> {
    await this.runs.writes.fenced(job, job.ref, async (tx, run) => {
      await this.scorings.beginIn(tx, run, { criteria: null, isPartial: false });
      return [];
    });
  }

  /** Open items end, with the runs and tasks that they have started, and so does the scoring that the run has begun. */
  async cancel(caller: Caller, no: number): Promise<JsonText<TestRun>> {
    let committed: CommittedEvents | undefined;
    // The idempotency record keeps what the transaction returns.
    const cancelled = await this.changeLocked(caller, no, async (tx, run) => {
      moved({ ...run, no }, 'cancel');
      await this.failOpenItems(tx, run.id, CANCELLED);
      await this.scorings.stop(tx, run.id);
      const counts = await this.counts(tx, run.id);
      const values = { ...completion(counts), cancelled_at: NOW, date_updated: NOW };
      await this.runs.writes.move(tx, run, 'cancel', values);
      // The conductor drops the secrets of the run.
      if (run.executed) tx.addWork(run.work_kind, run.id);
      const { completed, failed } = counts;
      const event = { type: 'run.completed', data: { run_id: no, completed, failed } };
      committed = await this.runs.writes.log(tx, run, [{ event }]);
      return this.rows.audited(tx, no, 'update');
    });
    if (committed) this.notifications.publish([committed]);
    return cancelled;
  }

  async failForLostSecrets(job: Job): Promise<void> {
    await this.runs.writes.fenced(job, job.ref, async (tx, run) => {
      await this.failOpenItems(tx, run.id, SECRETS_UNAVAILABLE);
      await tx.query(DROP_SECRETS, [tx.companyId, run.id, RUN_WORK]);
      tx.addWork(job.kind, job.ref);
      return [];
    });
  }

  /** With all its attempts. */
  async restart(job: Job): Promise<void> {
    await this.runs.writes.fenced(job, job.ref, (tx) => {
      tx.addWork(job.kind, job.ref);
      return Promise.resolve([]);
    });
  }

  /** Secrets that the process came to hold are dropped when the change is refused. */
  private async changeLocked<T>(
    caller: Caller,
    no: number,
    change: (tx: Tx, run: LockedTestRun, hold: (bag: SecretBag | undefined) => void) => Promise<T>,
  ): Promise<T> {
    let held: string | undefined;
    try {
      return await this.db.withCompany(caller, async (tx) => {
        const run = await this.rows.lock(tx, no);
        // Held before the commit, because a worker may need them at once.
        return change(tx, run, (bag) => bag && this.secrets.replace((held = run.id), bag));
      });
    } catch (error) {
      if (held) this.forgetUnaccepted(caller.companyId, held, error);
      throw error;
    }
  }

  /** Drops the secrets of a start that failed, unless the run was started after all. */
  forgetUnaccepted(companyId: number, runId: string, error: unknown): void {
    const exists = async (): Promise<boolean> => (await this.rows.load(companyId, runId))?.has_secrets === true;
    void this.secrets.forgetUnaccepted(runId, error, exists);
  }

  /** What they have started is cancelled. */
  private async failOpenItems(tx: Tx, runId: string, why: ItemResult): Promise<void> {
    const { failure_class, error_code, error_message } = why;
    const values = [tx.companyId, runId, failure_class, error_code, error_message];
    const failed = await tx.query<{ call_id: string | null }>(FAIL_ITEMS, values);
    if (failed.some(({ call_id }) => call_id !== null)) tx.addWork(CANCEL_WORK, runId);
  }

  private async counts(tx: Tx, runId: string): Promise<ItemCounts> {
    const [counts] = await tx.query<ItemCounts>(COUNT_ITEMS, [tx.companyId, runId]);
    return counts ?? { open: 0, completed: 0, failed: 0, totals: null };
  }

  private started({ concurrency, bag }: Start): Record<string, unknown> {
    const work_kind = bag ? this.kind(RUN_WORK) : RUN_WORK;
    return { executed: true, concurrency, has_secrets: bag !== undefined, work_kind, date_updated: NOW };
  }

  private kind(work: string): string {
    return this.secrets.ownKind(work);
  }

  /** One job of the conductor, and as many jobs as concurrent items. */
  private async addJobs(tx: Tx, run: LockedTestRun, { concurrency, bag }: Start): Promise<void> {
    const { id: runId, no } = run;
    // Clients that follow the run already see the start with the first event that is published.
    await this.runs.writes.log(tx, run, [{ event: { type: 'run.started', data: { run_id: no } } }]);
    const pending = await tx.query(PENDING_ITEMS, [tx.companyId, runId, concurrency]);
    const kind = bag ? this.kind(ITEM_WORK) : ITEM_WORK;
    for (let at = 1; at <= pending.length; at++) tx.addWork(kind, `${runId}/${at}`);
    tx.addWork(bag ? this.kind(RUN_WORK) : RUN_WORK, runId);
  }
}

interface ItemCounts {
  open: number;
  completed: number;
  failed: number;
  totals: object | null;
}

const completion = ({ completed, failed, totals }: ItemCounts) => ({
  totals: JSON.stringify(totals),
  completed_items: completed,
  failed_items: failed,
  has_secrets: false,
  work_kind: RUN_WORK,
});

const parsed = (run: JsonText<TestRun>): TestRun => JSON.parse(run.text) as TestRun;
