import type { Job, JobKind } from '@signalbox/platform';
import { decorateMethod } from '../decorated-methods.js';
import type { WorkKind } from './work-kind.js';

export const JOB_HANDLER = 'signalbox:job-handler';

const CONCURRENCY = 2;

export type JobWith<Payload> = Job & { payload: Payload };

/** `Exhausted` is the name of a method of the same class. */
export interface JobOptions<Exhausted extends string = never> extends Partial<
  Pick<WorkKind, 'concurrency' | 'perCompany' | 'leaseMs' | 'backoffMs' | 'unlimitedAttempts'>
> {
  /** Called instead of a sixth attempt; without it the job ends with a log line. */
  onExhausted?: Exhausted;
}

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
 * Handles one job of a kind. It may run again after a crash, so every write carries the fence of the job. At most
 * `concurrency` jobs (default 2) run at once in a process. Errors decide the outcome: `TryLater` postpones the job,
 * `FenceLost` leaves it to its new holder, an outage is repeated without counting, any other error uses up one of five
 * attempts; with `unlimitedAttempts` there is no last one.
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
