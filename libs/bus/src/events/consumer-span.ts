import { type SpanOptions, traceIdOf, tracing } from '@signalbox/platform';
import { sharedTrace } from '../calls/call-span.js';
import type { ConsumedEvent } from './consumed-messages.js';

export function tracedBatch<T>(events: readonly ConsumedEvent[], apply: () => Promise<T>): Promise<T> {
  const [first] = events;
  if (!tracing || !first) return apply();
  const { consumer, companyId } = first.about;
  const options: SpanOptions = {
    kind: 'consumer',
    ...sharedTrace(events.map(({ traceparent }) => traceparent)),
    attributes: {
      'messaging.system': 'nats',
      'messaging.operation.type': 'process',
      'messaging.consumer.group.name': consumer,
      'messaging.batch.message_count': events.length,
      'signalbox.company_id': companyId,
    },
  };
  return tracing.run(`process ${consumer}`, options, apply);
}

export const logged = ({ about, traceparent }: ConsumedEvent): object =>
  traceparent === undefined ? about : { ...about, trace_id: traceIdOf(traceparent) };
