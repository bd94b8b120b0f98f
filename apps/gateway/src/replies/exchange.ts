import type { ServerResponse } from 'node:http';
import type { Endpoint } from '@signalbox/contracts';
import { isTraceparent, type Span } from '@signalbox/platform';
import type { FastifyRequest } from 'fastify';
import type { KnownKey } from '../keys/key-cache.js';
import type { Quota } from '../limits/token-bucket.js';

/** One request in the gateway, with everything known of it so far. */
export class Exchange {
  key: KnownKey | null = null;
  bearer = false;
  /** The endpoint of the route, null outside of the contracts. */
  endpoint: Endpoint | null = null;
  /** The endpoint that stores the parts of the uploaded file, null when the body is none. */
  upload: Endpoint | null = null;
  /** The path that replaces a deprecated one, null for every other route. */
  successor: string | null = null;
  quota: Quota | null = null;
  readonly startedAt = performance.now();
  /** The span of the request while tracing is on. */
  span: Span | null = null;
  /** Trace context of the request's calls: of its span, else of the client. */
  traceparent: string | null;

  constructor(
    readonly request: FastifyRequest,
    readonly response: ServerResponse,
    /** The route as logs and metrics name it, never the concrete path. */
    readonly route: string,
    /** The error format: of the platform or of OpenAI. */
    readonly shape?: 'openai',
  ) {
    const given = request.raw.headers.traceparent;
    this.traceparent = typeof given === 'string' && isTraceparent(given) ? given : null;
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    exchange: Exchange | null;
  }
}
