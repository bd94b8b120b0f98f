import { signWebhook, type StreamedEvent } from '@signalbox/sdk';

export interface Forwarded {
  id: number;
  event: string;
  resource: StreamedEvent['resource'];
  /** Null when there was no reply. */
  status: number | null;
  error?: string;
  duration_ms: number;
}

/** As long as the platform waits for a webhook. */
const TIMEOUT_MS = 10_000;

const reasonOf = (error: unknown): string => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message || cause.name : String(cause);
};

/** Like a webhook; never throws for what the target does. */
export async function forward(
  { type: _type, seq, timestamp: _timestamp, ...event }: StreamedEvent,
  target: URL,
  secret: string,
  signal: AbortSignal,
): Promise<Forwarded> {
  const body = JSON.stringify(event);
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'Signalbox-Webhook/1.0',
    'X-Service-Event': event.event,
    'X-Service-Delivery': String(seq),
    'X-Service-Signature': await signWebhook(body, secret),
  };
  const began = performance.now();
  const ended = (status: number | null, error?: string): Forwarded => ({
    ...{ id: seq, event: event.event, resource: event.resource, status },
    ...(error === undefined ? {} : { error }),
    duration_ms: Math.round(performance.now() - began),
  });
  try {
    const within = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
    const reply = await fetch(target, { method: 'POST', headers, body, redirect: 'manual', signal: within });
    await reply.body?.cancel();
    return ended(reply.status, reply.ok ? undefined : `the target returned status ${reply.status}`);
  } catch (error) {
    return ended(null, reasonOf(error));
  }
}
