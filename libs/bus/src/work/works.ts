import { markMethod } from '../marked-methods.js';
import type { WorkKind } from './work-kind.js';

/** Metadata key of methods that perform jobs. */
export const WORKS = 'signalbox:works';
/** Metadata key of methods that are called when a job is given up. */
export const GIVES_UP = 'signalbox:gives-up';

const CONCURRENCY = 2;

/** Options for running the jobs of a kind. */
export type WorkOptions = Partial<Pick<WorkKind, 'concurrency' | 'perCompany' | 'leaseMs' | 'backoffMs'>>;

/** Options that `@Works` stores about a method. */
export interface WorkMark extends WorkOptions {
  kind: string;
  concurrency: number;
}

/** Options that `@GivesUp` stores about a method. */
export interface GiveUpMark {
  kind: string;
}

type Marks<Method> = <T extends Method>(target: object, name: string, descriptor: TypedPropertyDescriptor<T>) => void;

/**
 * Marks a method as the worker of a kind of jobs: it performs one job and may run again after a crash, so every write
 * carries the job's fence. At most `concurrency` jobs (default 2) run at once in a process. The error it throws
 * decides the outcome: `TryLater` postpones the job, `FenceLost` leaves it to its new holder, an outage is repeated
 * without counting, any other error uses up one of five attempts.
 */
export function Works(kind: string, options: WorkOptions = {}): Marks<WorkKind['run']> {
  const mark: WorkMark = { concurrency: CONCURRENCY, ...options, kind };
  return (_target, _name, descriptor) => markMethod(WORKS, descriptor.value, mark);
}

/**
 * Marks a method that is called instead of a sixth attempt of a job; without one the job is given up with a line in
 * the log.
 */
export function GivesUp(kind: string): Marks<WorkKind['exhausted']> {
  const mark: GiveUpMark = { kind };
  return (_target, _name, descriptor) => markMethod(GIVES_UP, descriptor.value, mark);
}
