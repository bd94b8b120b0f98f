import { type CompletionCall, JsonText } from '@signalbox/contracts';
import { SecretBag } from '@signalbox/egress';
import type { FinishedCall } from './request-record.js';

/** A call as it may be recorded: without the values of the secrets that were sent with it, in whatever spelling. */
export function scrubbedCall(call: FinishedCall, secrets: CompletionCall['secrets']): FinishedCall {
  if (!secrets || Object.keys(secrets).length === 0) return call;
  const bag = new SecretBag(secrets);
  const { params, answer, metadata, failure, fallback, referenceId } = call;
  return {
    ...call,
    params: bag.scrubValue(params instanceof JsonText ? (JSON.parse(params.text) as object) : params),
    answer: bag.scrubValue(answer),
    metadata: bag.scrubValue(metadata),
    failure: failure && { ...failure, message: bag.scrub(failure.message) },
    fallback: bag.scrubValue(fallback),
    referenceId: bag.scrubValue(referenceId),
  };
}
