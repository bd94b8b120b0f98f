import type { StreamEvent } from '@signalbox/contracts';
import type { Database, Tx } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import type { RunNotifications } from '../events/run-notifications.js';
import type { RunEvent } from '../run-event.js';
import { runEvent } from '../run-event-templates.js';
import { type ColumnValues, type CommittedEvents, type LockedRun, RunEndedError, type RunKind } from '../run-kind.js';
import { lockAncestors } from './run-ancestors.js';
import { insertEvents, type LogOptions, logOf, writeLog } from './run-log.js';
import {
  type AcceptedRun,
  acceptRun,
  type MovedRun,
  type MoveOptions,
  moveRun,
  type NewRun,
} from './run-transitions.js';

/** May also change the locked ancestors, or descendants, whose events it adds to `committed`. */
export type RunChange<Run> = (tx: Tx, run: Run, above: Run[], committed: CommittedEvents[]) => Promise<RunEvent[]>;

interface Options {
  job?: Job;
  /** Whether an ended run may be changed; default false. */
  evenEnded?: boolean;
  /** After the commit, before its events are published. */
  committed?: () => void;
}

/**
 * All writes of runs: locked, fenced, in one transaction with events, timeline and outbox.
 * SQL: the row of the run is locked first.
 */
export class RunWrites<Run extends LockedRun, Trigger extends string, RunRecord extends object> {
  private readonly moved = new WeakMap<Tx, StreamEvent[]>();

  constructor(
    private readonly db: Database,
    private readonly notifications: RunNotifications,
    private readonly kind: RunKind<Run, Trigger, RunRecord>,
  ) {}

  /**
   * Row, lifecycle event, job and first events commit together. Nobody can subscribe before the commit, so the events
   * are not published. A kind with a `directStart` is started as well when this process executes the run right after
   * the commit; returns what it has loaded, null when a worker starts the run later.
   */
  async accept(tx: Tx, run: NewRun, runEvents: readonly RunEvent[] = []): Promise<AcceptedRun['loaded']> {
    return (await acceptRun(tx, this.kind, run, runEvents)).loaded;
  }

  /** A write of a worker, refused when another has its job; `RunEndedError` when the run has ended. */
  fenced(job: Job, runId: string, change: RunChange<Run>, options: Omit<Options, 'job'> = {}): Promise<void> {
    return this.write(job.companyId, runId, change, { ...options, job }, false);
  }

  /** Moves the run of a job, with an event named after its new status. */
  moveByJob(job: Job, trigger: Trigger, values?: ColumnValues): Promise<void> {
    return this.fenced(job, job.ref, async (tx, run) => {
      const { status } = await this.move(tx, run, trigger, values);
      return [runEvent(`run.${status.toLowerCase()}`)];
    });
  }

  /** For the begin or end of a wait for a callback; locks the ancestors too. */
  withAncestors(companyId: number, runId: string, change: RunChange<Run>, options: Options = {}): Promise<void> {
    return this.write(companyId, runId, change, options, true);
  }

  /** Events are published after the commit of the write that has locked the run. */
  async move(
    tx: Tx,
    run: Run,
    trigger: Trigger,
    values?: ColumnValues,
    options?: MoveOptions,
  ): Promise<MovedRun<Run['status'], RunRecord>> {
    const moved = await moveRun(tx, this.kind, run, trigger, values, options);
    this.written(tx, moved.events);
    return moved;
  }

  /** In one statement; events are published after the commit of the write that has locked the run. */
  async change(tx: Tx, run: Run, runEvents: readonly RunEvent[], options?: LogOptions): Promise<void> {
    this.written(tx, await writeLog(tx, this.kind, run, runEvents, options));
  }

  private written(tx: Tx, events: StreamEvent[]): void {
    if (events.length > 0) this.moved.set(tx, [...(this.moved.get(tx) ?? []), ...events]);
  }

  /** Locks only the row of the run; resolves after the commit. */
  async append({ companyId, ...job }: Job, runId: string, runEvent: RunEvent): Promise<void> {
    const events = await this.db.withCompany({ companyId }, async (tx) => {
      await tx.requireFence(job);
      const [run] = await tx.query<LockedRun>(this.kind.statements.writes.lockToAppend, [companyId, runId]);
      if (run?.status !== 'RUNNING') throw new RunEndedError();
      return writeLog(tx, this.kind, run, [runEvent]);
    });
    this.notifications.publish([{ id: runId, events }]);
  }

  /** The caller has locked the run and publishes the events after the commit. */
  async log(tx: Tx, run: Pick<LockedRun, 'id' | 'last_seq'>, runEvents: readonly RunEvent[]): Promise<CommittedEvents> {
    return { id: run.id, events: await writeLog(tx, this.kind, run, runEvents) };
  }

  /**
   * The caller has locked the run, stores its `last_seq` and the events (`storeNumbered`), and publishes them after the
   * commit.
   */
  numbered(run: Pick<LockedRun, 'id' | 'last_seq'>, runEvents: readonly RunEvent[]): CommittedEvents {
    return { id: run.id, events: logOf(this.kind, run, runEvents).events };
  }

  storeNumbered(tx: Tx, numbered: readonly CommittedEvents[]): Promise<void> {
    return insertEvents(tx, this.kind, numbered);
  }

  private async lock(tx: Tx, runId: string, job: Job | undefined): Promise<Run | null> {
    const { lock } = this.kind.statements.writes;
    const values = [tx.companyId, runId];
    return job ? tx.lockFenced<Run>(job, lock.text, values) : ((await tx.query<Run>(lock, values))[0] ?? null);
  }

  private async write(
    companyId: number,
    runId: string,
    change: RunChange<Run>,
    { job, evenEnded = false, committed: afterCommit }: Options,
    family: boolean,
  ): Promise<void> {
    const { kind } = this;
    const committed = await this.db.withCompany({ companyId }, async (tx): Promise<CommittedEvents[]> => {
      if (job && family) await tx.requireFence(job);
      const above = family ? await lockAncestors(tx, kind, runId) : [];
      const run = await this.lock(tx, runId, family ? undefined : job);
      if (!run || (kind.states.isTerminal(run.status) && !evenEnded)) throw new RunEndedError();
      const others: CommittedEvents[] = [];
      const events = await writeLog(tx, kind, run, await change(tx, run, above, others));
      return [...others, { id: runId, events: [...(this.moved.get(tx) ?? []), ...events] }];
    });
    afterCommit?.();
    this.notifications.publish(committed);
  }
}
