import { type Chain, MAX_CHAIN_DEPTH } from '@signalbox/contracts';
import type { SecretBag } from '@signalbox/egress';
import type { Job } from '@signalbox/platform';
import { type AdmitResult, ScriptHostError } from '@signalbox/scripts';
import { chainBelow, RunEndedError, TOO_DEEP } from '@signalbox/runs';
import {
  FailedCall,
  type FailedCalls,
  type RunBody,
  type RunBudget,
  type RunningRun,
  type RunWriter,
} from '../runs/index.js';
import type { RecordedCalls } from './recorded-calls.js';

export interface HostContext {
  job: Job;
  run: RunningRun & { body: RunBody };
  secrets: SecretBag | undefined;
  writer: RunWriter;
  /** Aborts when the execution ends, for any reason. */
  signal: AbortSignal;
  executeNested: (child: RunningRun) => Promise<void>;
  /** Of the run and everything that it called. */
  budget: RunBudget;
  /** Deadline of the execution in epoch milliseconds, counted from its first call. */
  until?: number;
  counters: Map<string, number>;
  failures: FailedCalls;
  recorded: RecordedCalls;
}

/** Needs no depth check: only an agent or a workflow that answers starts more. Throws when the budget is spent. */
export function chainOfModel(context: HostContext): Chain {
  const { run, budget } = context;
  budget.require();
  context.until ??= Date.now() + run.body.snapshot.timeout_seconds * 1000;
  return chainBelow(run, { until: context.until, budget: budget.left });
}

/** Throws when the budget is spent or the maximum depth is reached. */
export function chainOf(context: HostContext): Chain {
  const chain = chainOfModel(context);
  if (chain.depth > MAX_CHAIN_DEPTH) throw new FailedCall('DepthExceededError', TOO_DEEP, DEPTH_EXCEEDED);
  return chain;
}

const DEPTH_EXCEEDED = { failure_class: 'quality', error_code: 'depth_exceeded' } as const;

/**
 * Ends calls that are still running when their script has ended, and what they started. A lost execution, in contrast,
 * is repeated and finds what it started.
 */
export class ScriptEnded extends RunEndedError {}

/** Shown on the timeline; must not contain secrets or bodies. */
export type CallDetails = Record<string, unknown>;

export interface HostMember {
  call(context: HostContext, args: readonly unknown[], details: CallDetails, admit: Admit): Promise<unknown>;
}

/** Waits until memory for a result of so many bytes is available. */
export type Admit = (bytes: number) => Promise<void>;

/** Smaller results need no admission: a script has at most 64 calls at a time. */
export const SMALL_RESULT_BYTES = 128 * 1024;
/** Memory while a result is built, as a multiple of its bytes: text, JSON, messages. */
const COPIES = 8;

export const admitBy =
  (admit: AdmitResult, signal: AbortSignal): Admit =>
  async (bytes) => {
    if (bytes > SMALL_RESULT_BYTES) await admit(bytes * COPIES, signal);
  };

export function nextNumber({ counters }: HostContext, kind: string): number {
  const next = (counters.get(kind) ?? 0) + 1;
  counters.set(kind, next);
  return next;
}

export function textArgument(value: unknown, name: string): string {
  if (typeof value !== 'string' || value === '') throw new ScriptHostError('TypeError', `${name} must be a string`);
  return value;
}

/** Names are stored unchanged, so they must not contain secrets of the run. */
export function withoutSecret(name: string, what: string, secrets: SecretBag | undefined): string {
  if (secrets && secrets.scrub(name) !== name) throw new ScriptHostError('TypeError', `${what} contains a secret`);
  return name;
}

export function objectArgument(value: unknown, name: string): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value))
    throw new ScriptHostError('TypeError', `${name} must be an object`);
  return value as Record<string, unknown>;
}
