import { type CallContext, ProviderError } from '@signalbox/llm';

/** Time in ms for the reply to reach the caller before its deadline. */
const MARGIN_MS = 100;

export function callContext(limitMs: number, deadline: number, signal: AbortSignal): CallContext {
  const timeoutMs = Math.min(limitMs, deadline - Date.now() - MARGIN_MS);
  if (timeoutMs > 0) return { signal, timeoutMs };
  throw new ProviderError({
    failureClass: 'timeout',
    code: 'timeout',
    message: 'no time is left to call the provider',
  });
}
