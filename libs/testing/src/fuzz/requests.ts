import type { Endpoint } from '@signalbox/contracts';
import { default as fc, type Arbitrary } from 'fast-check';
import { nameOf } from '../conformance/public-endpoints.js';
import { messageFor, mutatedInput, mutatedMessage, validInput } from './inputs.js';
import { bytesOf, type FuzzRequest } from './message.js';
import { rawBytes, mutatedBytes } from './wire.js';

export type Input = Record<string, unknown>;

export const named = (endpoint: Endpoint, input: Input): Input =>
  Object.fromEntries(Object.entries(input).filter(([name]) => (endpoint.path ?? '').includes(`{${name}}`)));

export const chain = (endpoint: Endpoint, input: Input, key: string): FuzzRequest & { input: Input } => ({
  kind: 'chain',
  from: nameOf(endpoint),
  bytes: bytesOf(messageFor(endpoint, input, key)),
  input,
});

export function requestsFor(endpoint: Endpoint, base: Input, key: string): Arbitrary<FuzzRequest> {
  const from = nameOf(endpoint);
  const as =
    (kind: FuzzRequest['kind']) =>
    (bytes: Buffer): FuzzRequest => ({ kind, from, bytes });
  const message = (input: Input) => messageFor(endpoint, input, key);
  const valid = validInput(endpoint, base).map(message);
  return fc.oneof(
    { arbitrary: valid.map(bytesOf).map(as('valid')), weight: 5 },
    { arbitrary: mutatedInput(endpoint.input, base).map(message).map(bytesOf).map(as('mutated')), weight: 6 },
    { arbitrary: valid.chain(mutatedMessage).map(bytesOf).map(as('mutated')), weight: 5 },
    { arbitrary: valid.map(bytesOf).chain(mutatedBytes).map(as('raw')), weight: 1 },
    { arbitrary: rawBytes.map(as('raw')), weight: 1 },
  );
}
