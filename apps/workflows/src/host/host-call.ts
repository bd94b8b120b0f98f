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

/** The execution of a run on whose behalf its script calls the platform. */
export interface HostContext {
  job: Job;
  run: RunningRun & { body: RunBody };
  secrets: SecretBag | undefined;
  writer: RunWriter;
  /** Aborts when the execution ends, whatever the reason. */
  signal: AbortSignal;
  /** Executes a nested run that was accepted, to its end. */
  executeNested: (child: RunningRun) => Promise<void>;
  /** What the run and all that it has called may still cost. */
  budget: RunBudget;
  /** Epoch milliseconds at which the execution has to have ended; counted from its first call. */
  until?: number;
  /** Numbers of calls within the execution, by what they are. */
  counters: Map<string, number>;
  failures: FailedCalls;
}

/**
 * The chain of a call of a model, which starts nothing unless an agent or a workflow answers. Throws when the budget is
 * used up.
 */
export function chainOfModel(context: HostContext): Chain {
  const { run, budget } = context;
  budget.require();
  context.until ??= Date.now() + run.body.snapshot.timeout_seconds * 1000;
  return chainBelow(run, { until: context.until, budget: budget.left });
}

/** The chain of what a call of a script starts. Throws when the budget is used up, or at the greatest depth. */
export function chainOf(context: HostContext): Chain {
  const chain = chainOfModel(context);
  if (chain.depth > MAX_CHAIN_DEPTH) throw new FailedCall('DepthExceededError', TOO_DEEP, DEPTH_EXCEEDED);
  return chain;
}

const DEPTH_EXCEEDED = { failure_class: 'quality', error_code: 'depth_exceeded' } as const;

/**
 * Why the calls of a script end that are still under way when it has ended: what they have started ends too. A lost
 * execution is repeated, and finds what it has started.
 */
export class ScriptEnded extends RunEndedError {}

/** What the timeline shows of a call; never a secret and never a body. */
export type CallDetails = Record<string, unknown>;

/** One member of `ctx`; `details` is filled in as the call becomes known. */
export interface HostMember {
  call(context: HostContext, args: readonly unknown[], details: CallDetails, admit: Admit): Promise<unknown>;
}

/** Waits until a result of so many bytes may be read. */
export type Admit = (bytes: number) => Promise<void>;

/** Results up to this size are read at once; a script has at most 64 of them at a time. */
export const SMALL_RESULT_BYTES = 128 * 1024;
/** The memory of a result while it is made, by its bytes: text, JSON, messages. */
const COPIES = 8;

/** What `admit` of a host call does for its member. */
export const admitBy =
  (admit: AdmitResult, signal: AbortSignal): Admit =>
  async (bytes) => {
    if (bytes > SMALL_RESULT_BYTES) await admit(bytes * COPIES, signal);
  };

/** Returns the number of the next call of its kind, from 1. */
export function nextNumber({ counters }: HostContext, kind: string): number {
  const next = (counters.get(kind) ?? 0) + 1;
  counters.set(kind, next);
  return next;
}

/** An argument that a script must give. */
export function textArgument(value: unknown, name: string): string {
  if (typeof value !== 'string' || value === '') throw new ScriptHostError('TypeError', `${name} must be a string`);
  return value;
}

/** A name, which is stored unchanged: it must not contain a secret of the run. */
export function withoutSecret(name: string, what: string, secrets: SecretBag | undefined): string {
  if (secrets && secrets.scrub(name) !== name) throw new ScriptHostError('TypeError', `${what} contains a secret`);
  return name;
}

/** An argument that is an object; absent means empty. */
export function objectArgument(value: unknown, name: string): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value))
    throw new ScriptHostError('TypeError', `${name} must be an object`);
  return value as Record<string, unknown>;
}
