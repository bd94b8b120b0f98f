import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Endpoint } from '@signalbox/contracts';
import { isTraceparent, type Span } from '@signalbox/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type RouteDefinition, successorOf } from './route-definition.js';

/** The API key that a request was authenticated with. */
export interface AuthenticatedKey {
  companyId: number;
  keyId: number;
  scopes: readonly string[];
}

/** The rate limit of a client as its response states it. */
export interface RateLimitState {
  limit: number;
  remaining: number;
  /** Seconds until the whole limit is available again. */
  reset: number;
}

/** One request in the gateway, with everything known of it so far. */
export class RequestContext {
  key: AuthenticatedKey | null = null;
  /** The key arrived as a bearer token. */
  bearer = false;
  rateLimit: RateLimitState | null = null;
  /** The value of the body once it was read. */
  body: unknown;
  readonly startedAt = performance.now();
  /** The span of the request while tracing is on. */
  span: Span | null = null;
  /** Trace context of the request's calls: of its span, else of the client. */
  traceparent: string | null;
  private atEnd: (() => void)[] = [];

  constructor(
    readonly request: FastifyRequest,
    readonly reply: FastifyReply,
    /** The endpoint that is called; null outside of the contracts. */
    readonly route: RouteDefinition | null,
    /** The route as logs and metrics name it, never the concrete path. */
    readonly label: string,
  ) {
    const given = request.raw.headers.traceparent;
    this.traceparent = typeof given === 'string' && isTraceparent(given) ? given : null;
    // The id of a completion names the recorded request, so it is never the client's.
    if (this.shape === 'openai') request.id = randomUUID();
  }

  /** The company of the key; 0 while none is known. */
  get companyId(): number {
    return this.key?.companyId ?? 0;
  }

  get response(): ServerResponse {
    return this.reply.raw;
  }

  get endpoint(): Endpoint | null {
    return this.route?.endpoint ?? null;
  }

  /** The key may arrive as a bearer token; at a path that is not served, so that a client learns that. */
  get takesBearer(): boolean {
    return this.endpoint?.bearer ?? (this.request.is404 || this.request.routeOptions.config?.bearer === true);
  }

  /** The call occupies a worker or a connection for long. */
  get isSlow(): boolean {
    return this.route?.slow ?? this.request.routeOptions.config?.longCall === true;
  }

  /** The error format: of the platform or of OpenAI. */
  get shape(): 'openai' | undefined {
    return this.route?.endpoint.protocol;
  }

  /** The path that replaces a deprecated one, null for every other route. */
  get successor(): string | null {
    return this.route && successorOf(this.route, this.request.params as Record<string, string>);
  }

  /** Calls back once, when the reply was sent or the request refused. */
  onEnd(then: () => void): void {
    this.atEnd.push(then);
  }

  /** The reply was sent to its end, or the request refused. */
  end(): void {
    for (const then of this.atEnd.splice(0)) then();
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    requestContext: RequestContext | null;
  }
  interface FastifyContextConfig {
    /** The endpoint of a route that was made from a contract. */
    contractRoute?: RouteDefinition;
    /** Of a route outside of the contracts: its key may be a bearer token. */
    bearer?: boolean;
    /** Of a route outside of the contracts: a call may last long. */
    longCall?: boolean;
  }
}

/** What is known of a request; made for the first that asks. */
export function requestContextOf(request: FastifyRequest, reply: FastifyReply): RequestContext {
  return (request.requestContext ??= newContext(request, reply));
}

function newContext(request: FastifyRequest, reply: FastifyReply): RequestContext {
  const { config, url } = request.routeOptions;
  const route = config?.contractRoute ?? null;
  return new RequestContext(request, reply, route, route?.label ?? labelOf(request.method, url));
}

/** HEAD is served by the handler of GET. */
function labelOf(method: string, url: string | undefined): string {
  return url === undefined ? 'unknown' : `${method === 'HEAD' ? 'GET' : method} ${url.replace(/\(.*?\)/, '')}`;
}
