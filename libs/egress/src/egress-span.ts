import { type Span, tracing } from '@signalbox/platform';
import type { Destination } from './targets/destination.js';

/** Names only method, host and port: stored paths and queries contain values of users, and at times credentials. */
export function egressSpan({ url, method }: Destination): Span | undefined {
  const port = url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : Number(url.port);
  return tracing?.startChild(method, {
    kind: 'client',
    attributes: { 'http.request.method': method, 'server.address': url.hostname, 'server.port': port },
  });
}
