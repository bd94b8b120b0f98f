import type { Caller, Endpoint } from '@signalbox/contracts';
import {
  isSampled,
  isTraceparent,
  markStatus,
  type Span,
  type SpanAttributes,
  type SpanOptions,
  traceparentOf,
  type Tracing,
} from '@signalbox/platform';
import type { ReceivedCall } from './frames/received-frames.js';
import { readCallSubject } from './senders.js';
import { readTraces } from './wire.js';

/** `agents/invokeAgent` for `rpc.agents.invokeAgent`. */
const callName = (subject: string): string => subject.replace(/^rpc\./, '').replace('.', '/');

function callAttributes(subject: string): SpanAttributes {
  const [, contract, endpoint] = subject.split('.');
  return { 'rpc.system': 'nats', 'rpc.service': contract, 'rpc.method': endpoint };
}

/** A child of the active trace, else of the caller's; no span without a trace. */
export function callSpan(
  tracing: Tracing,
  kind: NonNullable<SpanOptions['kind']>,
  { subject }: Endpoint,
  { traceparent }: Caller,
): Span | undefined {
  const options = { kind, attributes: callAttributes(subject) };
  if (tracing.isActive) return tracing.start(callName(subject), options);
  if (traceparent === undefined || !isTraceparent(traceparent)) return undefined;
  return tracing.start(callName(subject), { ...options, parent: traceparent });
}

export const callerIn = (span: Span, caller: Caller): Caller => ({ ...caller, traceparent: traceparentOf(span) });

export function tracedCall<T>(
  tracing: Tracing,
  kind: 'client' | 'internal',
  endpoint: Endpoint,
  caller: Caller,
  call: (caller: Caller) => Promise<T>,
): Promise<T> {
  const span = callSpan(tracing, kind, endpoint, caller);
  return span ? tracing.runIn(span, () => call(callerIn(span, caller))) : call(caller);
}

export async function servedCall(tracing: Tracing, message: ReceivedCall, serve: () => Promise<number>): Promise<void> {
  const traces = readTraces(message.headers);
  if (traces === null) return void (await serve());
  const { sender, endpoint } = readCallSubject(message.subject);
  const attributes = { ...callAttributes(endpoint), 'signalbox.sender': sender };
  await tracing.run(callName(endpoint), { kind: 'server', attributes, ...traces }, async (span) => {
    const status = await serve();
    span.setAttribute('rpc.response.status_code', String(status));
    markStatus(span, status);
  });
}

/** The first recorded trace is the parent of shared work, the others are linked. */
export function sharedTrace(traceparents: readonly (string | undefined)[]): { parent: string | null; links: string[] } {
  const valid = traceparents.filter((each): each is string => each !== undefined && isTraceparent(each));
  const [first, ...links] = new Set(valid.filter(isSampled));
  return { parent: first ?? valid[0] ?? null, links };
}
