import { type Contract } from '../contract.js';
import { type EndpointDeclaration } from './endpoint-declaration.js';
import { type Class } from '../fields/field-types.js';
import { type Caller } from './caller.js';
import { type JsonText, type OutputOf } from './outputs.js';

/** The validated input of an endpoint. */
export type InputOf<E extends { input: Class }> = InstanceType<E['input']>;

/** One call as a handler sees it. */
export interface Call<I> {
  input: I;
  caller: Caller;
  /** Aborted when the caller has left; given to the handlers of abandonable endpoints. */
  signal?: AbortSignal;
}

/** One key of a coalesced read. */
export interface Key {
  companyId: number;
  id: number;
}

/** A coalesced read as a handler sees it: all keys of one message, answered in the same order, null = not found. */
export interface Batch {
  keys: Key[];
}

type Single<E extends EndpointDeclaration> = (
  call: Call<InputOf<E>>,
) => Promise<OutputOf<E['output']> | JsonText<OutputOf<E['output']>>>;

type Batched<E extends EndpointDeclaration> = (batch: Batch) => Promise<(JsonText<OutputOf<E['output']>> | null)[]>;

/** What a class must have to honour a contract; a missing or mistyped handler does not compile. */
export type Handlers<C extends Contract> =
  C extends Contract<infer E>
    ? { [K in keyof E]: E[K] extends { delivery: { batchable: string } } ? Batched<E[K]> : Single<E[K]> }
    : never;

/** One call of a named endpoint, for the parameter of its handler. */
export type CallTo<C extends Contract, K extends keyof C['endpoints']> = Call<InputOf<C['endpoints'][K]>>;
