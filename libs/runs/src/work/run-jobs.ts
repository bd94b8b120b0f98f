import { TryLater } from '@signalbox/bus';
import type { Job } from '@signalbox/platform';
import type { RunKind } from '../run-kind.js';
import type { HeldRun, RunLoop } from './run-loop.js';
import type { SUSPENDED } from './suspended-runs.js';
import { worksByDepth } from '../chain.js';

/** The handlers of one kind of work that belongs to runs. */
export interface RunJobs {
  /** Kind of the work; its `ref` begins with the id of the run. */
  work: string;
  /** How often work is looked for that no message has announced. */
  pollMs?: number;
  /** True when the work may need the secrets of its run, so that only the process that holds them claims it. */
  held: boolean;
  /** `signal` aborts when the job is lost; after `stopping` it may throw `TryLater` between two steps. */
  run: (job: Job, signal: AbortSignal, stopping: AbortSignal) => Promise<typeof SUSPENDED | void>;
  /** Called instead of a sixth attempt. */
  onExhausted: (job: Job) => Promise<typeof SUSPENDED | void>;
}

/** Injection token of the list of all work of runs in a service. */
export const RUN_JOBS = Symbol('run jobs');

/** Work of nested runs is announced when it is added; only what a lost process has left behind waits for a poll. */
const NESTED_POLL_MS = 5000;

export function jobsOfRuns(
  { work, isNested = false }: Pick<RunKind, 'work' | 'isNested'>,
  loop: Pick<RunLoop<HeldRun, unknown>, 'work' | 'onExhausted'>,
): RunJobs[] {
  const jobs = {
    held: true,
    run: loop.work.bind(loop),
    onExhausted: loop.onExhausted.bind(loop),
  };
  if (!isNested) return [{ work, ...jobs }];
  return worksByDepth(work).map((each) => ({
    work: each,
    ...jobs,
    ...(each === work ? {} : { pollMs: NESTED_POLL_MS }),
  }));
}

/** The work of expiring hooks; a job that runs early, by the clock of the database, is rescheduled. */
export function jobsOfHooks(work: string, expire: (job: Job) => Promise<number | null>): RunJobs {
  const run = async (job: Job): Promise<void> => {
    const leftMs = await expire(job);
    if (leftMs !== null) throw new TryLater(leftMs);
  };
  return { work, held: false, run, onExhausted: run };
}
