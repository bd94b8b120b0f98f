import { markStatus, type Tracing, traceparentOf } from '@signalbox/platform';
import type { FastifyInstance } from 'fastify';
import { type RequestContext, requestContextOf } from './request-context.js';

/** Runs every call of a contract in its span. A hook of Fastify, because interceptors run after the guards. */
export function traceRequests(app: FastifyInstance, tracing: Tracing): void {
  app.addHook('onRequest', (request, reply, done) => {
    const context = requestContextOf(request, reply);
    if (context.route === null) return done();
    tracing.within(beginSpan(tracing, context), done);
  });
}

/** Continues the trace of the client. The span has the route and never the path: paths contain callback keys. */
function beginSpan(tracing: Tracing, context: RequestContext): NonNullable<RequestContext['span']> {
  const { request, response, label, traceparent } = context;
  const path = label.slice(label.indexOf(' ') + 1);
  const span = tracing.start(`${request.method} ${path}`, {
    kind: 'server',
    parent: traceparent,
    attributes: { 'http.request.method': request.method, 'http.route': path, 'signalbox.request_id': request.id },
  });
  context.span = span;
  context.traceparent = traceparentOf(span);
  response.once('close', () => {
    const { key } = context;
    if (key) span.setAttribute('signalbox.company_id', key.companyId);
    if (response.headersSent) span.setAttribute('http.response.status_code', response.statusCode);
    if (!response.writableFinished) span.setAttribute('error.type', 'disconnected');
    markStatus(span, response.statusCode);
    span.end();
  });
  return span;
}
