import type { Endpoint } from '@signalbox/contracts';

/** The endpoint that gets a call: another one for what a batchable endpoint does not do for many keys at once. */
export const calledEndpoint = (endpoint: Endpoint, input: object): Endpoint => {
  const { unbatchedWhen, unbatched } = endpoint;
  const isOther = unbatchedWhen && (input as Record<string, unknown>)[unbatchedWhen.field] === unbatchedWhen.value;
  return isOther && unbatched ? unbatched : endpoint;
};
