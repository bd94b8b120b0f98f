import { type CallContext, ProviderError } from '@signalbox/llm';

/** Our answer, a failure included, has to reach the caller while it still waits. */
const MARGIN_MS = 100;

/** How long a provider may take: its own limit, and no longer than the caller waits. */
export function callContext(limitMs: number, deadline: number, signal: AbortSignal): CallContext {
  const timeoutMs = Math.min(limitMs, deadline - Date.now() - MARGIN_MS);
  if (timeoutMs > 0) return { signal, timeoutMs };
  throw new ProviderError({
    failureClass: 'timeout',
    code: 'timeout',
    message: 'no time is left to call the provider',
  });
}
