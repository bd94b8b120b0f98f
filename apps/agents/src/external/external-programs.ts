import { Injectable } from '@nestjs/common';
import { CompanyProfiles } from '@signalbox/clients';
import type { ErrorCode, ExternalAnswer, ExternalCall, FailureClass } from '@signalbox/contracts';
import { Egress, EgressDenied, EgressTimeout, isEgressError, SecretBag } from '@signalbox/egress';
import { storable } from '@signalbox/runs';

const MAX_ANSWER_BYTES = 1_048_576;

const failed = (failure_class: FailureClass, error_code: ErrorCode, error_message: string): ExternalAnswer => ({
  status: null,
  body: '',
  failure_class,
  error_code,
  error_message,
});

@Injectable()
export class ExternalPrograms {
  constructor(
    private readonly egress: Egress,
    private readonly companies: CompanyProfiles,
  ) {}

  /** Until the signal aborts; a redirect is returned as the answer and not followed. */
  async call(companyId: number, call: ExternalCall, signal?: AbortSignal): Promise<ExternalAnswer> {
    const { url, method, body, timeout_ms: timeoutMs } = call;
    const headers = headersOf(call);
    try {
      const { egress_allow: allow } = await this.companies.ofCompany(companyId);
      const answer = await this.egress.fetch({
        url,
        method,
        headers,
        allow,
        timeoutMs,
        maxRedirects: 0,
        maxBytes: MAX_ANSWER_BYTES,
        secrets: new SecretBag(call.secrets),
        ...(body === null ? {} : { body }),
        ...(signal ? { signal } : {}),
      });
      if (answer.truncated) return failed('provider', 'provider_error', 'the answer is larger than 1 MiB');
      const text = storable(answer.body.toString());
      return { status: answer.status, body: text, failure_class: null, error_code: null, error_message: null };
    } catch (error) {
      return failureOf(error);
    }
  }
}

/** The trace id is the idempotency key: a program recognises the repeat of a call whose process was lost. */
function headersOf({ headers, body, traceparent }: ExternalCall): Record<string, string> {
  const hasOwnKey = Object.keys(headers).some((name) => name.toLowerCase() === 'idempotency-key');
  return {
    ...(body === null ? {} : { 'content-type': 'application/json' }),
    ...(hasOwnKey ? {} : { 'idempotency-key': traceparent.split('-')[1] }),
    ...headers,
    traceparent,
  };
}

function failureOf(error: unknown): ExternalAnswer {
  if (!isEgressError(error)) throw error;
  if (error instanceof EgressDenied) return failed('sandbox', 'egress_denied', error.message);
  if (error instanceof EgressTimeout) return failed('timeout', 'timeout', error.message);
  return failed('provider', 'provider_error', error.message);
}
