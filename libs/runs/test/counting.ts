// A kind of run for the tests: it executes a script of steps, some of which start another run or wait for a callback.
import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type Tx } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import * as runs from '@signalbox/runs';

type Step = 'count' | 'child' | 'hook';
type CountingRecord = { id: string; status: string };

export interface Counting extends runs.HeldRun {
  status: runs.RunStatus;
  script: Step[];
  done: number;
}

export const SCHEMA: runs.RunSchema = {
  service: 'tester',
  table: 'countings',
  singular: 'counting',
  key: 'run_id',
  parent: 'parent_run_id',
  columns: ['script jsonb NOT NULL', 'done int NOT NULL DEFAULT 0', 'parent_step int'],
  hooks: true,
};

const STORED_COUNTINGS = runs.storedRuns({
  tables: runs.tablesOf(SCHEMA),
  columns: 't.id, t.status, t.last_seq, t.has_secrets, t.script, t.done',
  timelineColumns: [],
});

const CHILD = runs.runsWith(STORED_COUNTINGS, { index: null }, 't.parent_run_id = $2 AND t.parent_step = $3');

const COUNTINGS: runs.RunKind<Counting, runs.RunTrigger, CountingRecord> = {
  ...STORED_COUNTINGS,
  ...runs.RUN_EVENTS,
  noun: 'counting',
  work: 'counting',
  states: runs.statesOf('counting', runs.RUN_TRANSITIONS),
  record: 't.id, t.status',
  lifecycle: (_trigger, data) => [
    { event: `counting.${data.status.toLowerCase()}`, resource: { type: 'counting', id: data.id }, data },
  ],
};

@Injectable()
export class Countings extends runs.Runs<Counting, runs.RunTrigger, CountingRecord> {
  readonly hooks = new runs.RunHooks(this.db, this.writes, this.kind, 'counting_hook');
  readonly timeline = new runs.RunTimeline(this.db, runs.timelinePages({ tables: this.kind.tables }));

  constructor(db: Database, notifications: runs.RunNotifications, subscribers: runs.StreamSubscribers) {
    super(COUNTINGS, db, notifications, subscribers);
  }

  async accept(tx: Tx, id: string, script: Step[], more: runs.ColumnValues = {}, workKind = 'counting'): Promise<void> {
    const values = { status: 'QUEUED', script: JSON.stringify(script), ...more };
    await this.writes.accept(tx, { id, workKind, values }, [runs.runEvent('run.accepted')]);
  }

  async childOf(companyId: number, { id, done }: Counting): Promise<Counting | null> {
    return (await this.db.select<Counting>(companyId, CHILD, [id, done]))[0] ?? null;
  }
}

@Injectable()
export class CountingSteps implements runs.RunSteps<Counting, Step | 'end'> {
  /** Receives the key of each hook, as a called system would receive its URL. */
  hookOpened: (key: string) => void = () => undefined;

  constructor(private readonly countings: Countings) {}

  load = (companyId: number, id: string) => this.countings.load(companyId, id);
  next = ({ script, done }: Counting): Step | 'end' => script[done] ?? 'end';
  isEnd = (act: Step | 'end'): boolean => act === 'end';

  async start(job: Job): Promise<Counting | null> {
    await this.move(job, 'start', { started_at: runs.NOW });
    return this.load(job.companyId, job.ref);
  }

  async act(attempt: runs.Attempt<Counting>, act: Step | 'end') {
    if (act === 'child') return (await this.childEnded(attempt)) ? { made: act } : runs.SUSPENDED;
    if (act === 'hook') return (await this.calledBack(attempt)) ? { made: act } : runs.SUSPENDED;
    return { made: act };
  }

  private async childEnded({ job, run }: runs.Attempt<Counting>): Promise<boolean> {
    const child = await this.countings.childOf(job.companyId, run);
    if (child) return child.status === 'COMPLETED';
    await this.countings.writes.fenced(job, run.id, async (tx) => {
      const more = { parent_run_id: run.id, parent_step: run.done, depth: 1 };
      await this.countings.accept(tx, randomUUID(), ['count', 'count'], more);
      return [];
    });
    return false;
  }

  private async calledBack({ job, run }: runs.Attempt<Counting>): Promise<boolean> {
    const { hooks } = this.countings;
    if (await hooks.find(job, run.done)) return true;
    const { key, hash } = runs.newHookKey();
    if (await hooks.open(job, run.done, hash, 60_000)) return true;
    this.hookOpened(key);
    return (await hooks.wait(job, run.done, {})) !== null;
  }

  async record({ job, run }: runs.Attempt<Counting>): Promise<Step | 'end'> {
    await this.countings.writes.fenced(job, run.id, async (tx) => {
      const text = `UPDATE ${COUNTINGS.tables.runs} SET done = done + 1 WHERE company_id = $1 AND id = $2`;
      await tx.query(text, [tx.companyId, run.id]);
      return [runs.runEvent('run.step')];
    });
    run.done += 1;
    return this.next(run);
  }

  end = ({ job }: runs.Attempt<Counting>): Promise<void> => this.move(job, 'complete');

  endLost = (job: Job, error_code: runs.LostReason): Promise<void> =>
    this.move(job, 'fail', { failure_class: 'internal', error_code });

  private move(job: Job, trigger: runs.RunTrigger, values?: runs.ColumnValues): Promise<void> {
    return this.countings.writes.fenced(job, job.ref, async (tx, run) => {
      const { status } = await this.countings.writes.move(tx, run, trigger, values);
      return [runs.runEvent(`run.${status.toLowerCase()}`)];
    });
  }
}

/** The Nest providers of the kind. */
export const COUNTING_RUNS = runs.provideRuns(Countings, CountingSteps, {
  inject: [Countings],
  from: ({ hooks, writes }: Countings) => [
    runs.jobsOfHooks('counting_hook', (job) =>
      hooks.expire(job, async (tx, run) => {
        await writes.move(tx, run, 'fail', { failure_class: 'timeout', error_code: 'webhook_ttl' });
        return [runs.runEvent('run.failed')];
      }),
    ),
  ],
});
