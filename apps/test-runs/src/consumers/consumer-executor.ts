import type { Caller } from '@signalbox/contracts';
import type { SecretBag } from '@signalbox/egress';
import type { LockedTestRun } from '../run-records/index.js';
import type { CallDefaults } from './adapter.js';
import type { ItemResult } from './item-result.js';

/** What a consumer is when a run is created or prepared. */
export interface ConsumerTarget {
  /** Id of the model, workflow or agent; null for a program that runs elsewhere and is no agent. */
  id: number | null;
  /** Null for a draft and for models. */
  version: string | null;
  /** Name under which it is called; models only. */
  name: string | null;
  secrets: readonly string[];
  /** The configuration with what follows from it, as a new run keeps it; absent when that is nothing more. */
  config?: object;
  /** What its calls inherit; models with an intent only. */
  defaults?: CallDefaults;
  /** The schema of the input; workflows only. */
  input_schema?: Record<string, unknown> | null;
}

export interface ConsumerCall {
  run: LockedTestRun;
  companyId: number;
  test_set_item_id: number;
  adapted_input: Record<string, unknown>;
  /** The same for every call of one attempt, so that work of a lost worker is found again. */
  call_id: string;
  secrets: SecretBag | undefined;
  signal: AbortSignal;
}

/** A kind of consumer of test runs. */
export interface ConsumerExecutor {
  /** Finds what a configuration names; 404 when it does not exist. */
  find(config: object, caller: Caller): Promise<ConsumerTarget>;
  /** Executes one item; rejects when a dependency is down. */
  execute(call: ConsumerCall): Promise<ItemResult>;
}
