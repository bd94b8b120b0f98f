import { markStatus, type Tracing, traceparentOf } from '@signalbox/platform';
import type { Exchange } from './exchange.js';

/**
 * Begins the span of a request; it continues the trace of the client and ends with the response. It names the route and
 * never the path, because paths contain keys of callbacks.
 */
export function beginHttpSpan(tracing: Tracing, exchange: Exchange): void {
  const { request, response, route, traceparent } = exchange;
  const path = route.slice(route.indexOf(' ') + 1);
  const span = tracing.start(`${request.method} ${path}`, {
    kind: 'server',
    parent: traceparent,
    attributes: { 'http.request.method': request.method, 'http.route': path, 'signalbox.request_id': request.id },
  });
  exchange.span = span;
  exchange.traceparent = traceparentOf(span);
  response.once('close', () => {
    const { key } = exchange;
    if (key) span.setAttribute('signalbox.company_id', key.companyId);
    if (response.headersSent) span.setAttribute('http.response.status_code', response.statusCode);
    if (!response.writableFinished) span.setAttribute('error.type', 'disconnected');
    markStatus(span, response.statusCode);
    span.end();
  });
}
