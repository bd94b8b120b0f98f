import type { Caller } from '@signalbox/contracts';
import type { SecretBag } from '@signalbox/egress';
import type { LockedTestRun } from '../run-records/index.js';
import type { CallDefaults } from './adapter.js';
import type { ItemResult } from './item-result.js';

export interface ConsumerTarget {
  /** Of the model, workflow or agent; null for a program that runs elsewhere and is not an agent. */
  id: number | null;
  /** Null for a draft and for models. */
  version: string | null;
  /** Models only. */
  name: string | null;
  secrets: readonly string[];
  /** The configuration as a new run stores it; absent when it stays as given. */
  config?: object;
  /** Inherited by its calls; only for models with an intent. */
  defaults?: CallDefaults;
  input_schema?: Record<string, unknown> | null;
}

export interface ConsumerCall {
  run: LockedTestRun;
  companyId: number;
  test_set_item_id: number;
  adapted_input: Record<string, unknown>;
  /** The same for every call of one attempt, so that what a lost worker started is found again. */
  call_id: string;
  secrets: SecretBag | undefined;
  signal: AbortSignal;
  /** Aborts when the run has ended, not when the worker stops. */
  ended: AbortSignal;
}

/** A kind of consumer of test runs. */
export interface ConsumerExecutor {
  /** 404 when what the configuration names does not exist. */
  find(config: object, caller: Caller): Promise<ConsumerTarget>;
  /** Rejects when a dependency is down. */
  execute(call: ConsumerCall): Promise<ItemResult>;
}
