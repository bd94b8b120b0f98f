import { type CompletionCall, JsonText } from '@signalbox/contracts';
import { SecretBag } from '@signalbox/egress';
import type { FinishedCall } from './request-record.js';

/** Without the values of its secrets in any of their encodings. */
export function scrubbedCall(call: FinishedCall, secrets: CompletionCall['secrets']): FinishedCall {
  if (!secrets || Object.keys(secrets).length === 0) return call;
  const bag = new SecretBag(secrets);
  const { params, answer, metadata, failure, fallback, referenceId, evaluation } = call;
  return {
    ...call,
    params: bag.scrubValue(params instanceof JsonText ? (JSON.parse(params.text) as object) : params),
    answer: bag.scrubValue(answer),
    metadata: bag.scrubValue(metadata),
    failure: failure && { ...failure, message: bag.scrub(failure.message) },
    fallback: bag.scrubValue(fallback),
    referenceId: bag.scrubValue(referenceId),
    evaluation: bag.scrubValue(evaluation ?? null),
  };
}
