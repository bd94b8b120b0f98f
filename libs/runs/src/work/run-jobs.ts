import { TryLater } from '@signalbox/bus';
import type { Job } from '@signalbox/platform';
import type { HeldRun, RunKind } from '../run-kind.js';
import type { RunLoop } from './run-loop.js';
import type { SUSPENDED } from './suspended-runs.js';
import { worksByDepth } from '../chain.js';

export interface RunJobs {
  /** Its `ref` begins with the id of the run. */
  work: string;
  /** Poll for jobs that no message announced. */
  pollMs?: number;
  /** The work may need the secrets of its run, so only the process that holds them claims it. */
  held: boolean;
  /** `signal` aborts when the job is lost; after `stopping` it may throw `TryLater` between two steps. */
  run: (job: Job, signal: AbortSignal, stopping: AbortSignal) => Promise<typeof SUSPENDED | void>;
  onExhausted: (job: Job) => Promise<typeof SUSPENDED | void>;
}

export const RUN_JOBS = Symbol('run jobs');

/** Jobs of nested runs are announced; only those of a lost process wait for a poll. */
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

/** A job that runs early, by the clock of the database, is rescheduled. */
export function jobsOfHooks(work: string, expire: (job: Job) => Promise<number | null>): RunJobs {
  const run = async (job: Job): Promise<void> => {
    const leftMs = await expire(job);
    if (leftMs !== null) throw new TryLater(leftMs);
  };
  return { work, held: false, run, onExhausted: run };
}
