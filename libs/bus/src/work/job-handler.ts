import type { Job, JobKind } from '@signalbox/platform';
import { decorateMethod } from '../decorated-methods.js';
import type { WorkKind } from './work-kind.js';

/** Metadata key of methods that perform jobs. */
export const JOB_HANDLER = 'signalbox:job-handler';

const CONCURRENCY = 2;

/** A job with the payload that it was added with. */
export type JobWith<Payload> = Job & { payload: Payload };

/** How the jobs of a kind are run. `Exhausted` is the name of a method of the same class. */
export interface JobOptions<Exhausted extends string = never> extends Partial<
  Pick<WorkKind, 'concurrency' | 'perCompany' | 'leaseMs' | 'backoffMs' | 'unlimitedAttempts'>
> {
  /** The method that is called instead of a sixth attempt; without one the job ends with a line in the log. */
  onExhausted?: Exhausted;
}

/** What `@JobHandler` stores about a method. */
export interface JobHandlerMetadata extends JobOptions<string> {
  kind: JobKind;
  concurrency: number;
}

type Handler<Payload> = (job: JobWith<Payload>, signal: AbortSignal, stopping: AbortSignal) => Promise<void>;
type ExhaustedHandler<Payload, Name extends string> = Record<
  Name,
  (job: JobWith<Payload>, cause: unknown) => Promise<void>
>;

/**
 * Makes a method the handler of a kind of jobs: it performs one job and may run again after a crash, so every write
 * carries the job's fence. At most `concurrency` jobs (default 2) run at once in a process. The error it throws
 * decides the outcome: `TryLater` postpones the job, `FenceLost` leaves it to its new holder, an outage is repeated
 * without counting, any other error uses up one of five attempts. A kind with `unlimitedAttempts` has no last one.
 */
export function JobHandler<Payload, Exhausted extends string = never>(
  kind: JobKind<Payload>,
  options: JobOptions<Exhausted> = {},
) {
  const metadata: JobHandlerMetadata = { concurrency: CONCURRENCY, ...options, kind };
  return <T extends Handler<Payload>>(
    _target: ExhaustedHandler<Payload, NoInfer<Exhausted>>,
    _name: string,
    descriptor: TypedPropertyDescriptor<T>,
  ): void => decorateMethod(JOB_HANDLER, descriptor.value, metadata);
}
