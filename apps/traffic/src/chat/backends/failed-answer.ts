import type { Usage } from '@signalbox/contracts';
import { ProviderError } from '@signalbox/llm';

/** The agent or workflow that answers in place of a model has failed like one, which a fallback may replace. */
export class FailedAnswer extends ProviderError {
  constructor(
    failureClass: 'provider' | 'timeout',
    message: string,
    /** Of the failed task or run; undefined when it is not known. */
    readonly usage: Usage | undefined,
  ) {
    super({ failureClass, code: failureClass === 'timeout' ? 'timeout' : 'provider_error', message });
  }
}

export const usageOfFailed = (error: unknown): Usage | undefined =>
  error instanceof FailedAnswer ? error.usage : undefined;
