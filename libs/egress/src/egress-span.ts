import { type Span, tracing } from '@signalbox/platform';
import type { Destination } from './targets/destination.js';

/**
 * Begins the span of a call within a trace. It names method, host and port alone: paths and queries of stored
 * configurations contain values of users, and at times credentials.
 */
export function egressSpan({ url, method }: Destination): Span | undefined {
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return tracing?.startChild(method, {
    kind: 'client',
    attributes: { 'http.request.method': method, 'server.address': url.hostname, 'server.port': port },
  });
}
