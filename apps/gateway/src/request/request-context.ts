import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Endpoint } from '@signalbox/contracts';
import { isTraceparent, type Span } from '@signalbox/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type RouteDefinition, successorOf } from './route-definition.js';

export interface AuthenticatedKey {
  companyId: number;
  keyId: number;
  scopes: readonly string[];
}

export interface RateLimitState {
  limit: number;
  remaining: number;
  /** Seconds until the bucket is full again. */
  reset: number;
}

export class RequestContext {
  key: AuthenticatedKey | null = null;
  bearer = false;
  rateLimit: RateLimitState | null = null;
  /** Undefined until the body was read. */
  body: unknown;
  readonly startedAt = performance.now();
  span: Span | null = null;
  /** For calls to services: of the own span, else of the client. */
  traceparent: string | null;
  private atEnd: (() => void)[] = [];

  constructor(
    readonly request: FastifyRequest,
    readonly reply: FastifyReply,
    readonly route: RouteDefinition | null,
    /** For logs and metrics; never the concrete path, which may contain secrets. */
    readonly label: string,
  ) {
    const given = request.raw.headers.traceparent;
    this.traceparent = typeof given === 'string' && isTraceparent(given) ? given : null;
    // The id of a completion names its recorded request, so it must not be chosen by the client.
    if (this.shape === 'openai') request.id = randomUUID();
  }

  /** 0 while the key is unknown. */
  get companyId(): number {
    return this.key?.companyId ?? 0;
  }

  get response(): ServerResponse {
    return this.reply.raw;
  }

  get endpoint(): Endpoint | null {
    return this.route?.endpoint ?? null;
  }

  /** Also at unknown paths, so that clients with a bearer token get 404 rather than 401. */
  get takesBearer(): boolean {
    return this.endpoint?.bearer ?? (this.request.is404 || this.request.routeOptions.config?.bearer === true);
  }

  get isSlow(): boolean {
    return this.route?.slow ?? this.request.routeOptions.config?.longCall === true;
  }

  get shape(): 'openai' | undefined {
    return this.route?.endpoint.protocol;
  }

  get successor(): string | null {
    return this.route && successorOf(this.route, this.request.params as Record<string, string>);
  }

  /** Calls back once, when the reply was sent or the request refused. */
  onEnd(then: () => void): void {
    this.atEnd.push(then);
  }

  end(): void {
    for (const then of this.atEnd.splice(0)) then();
  }
}

declare module 'fastify' {
  interface FastifyRequest {
    requestContext: RequestContext | null;
  }
  interface FastifyContextConfig {
    contractRoute?: RouteDefinition;
    /** For routes outside of the contracts: the key may be a bearer token. */
    bearer?: boolean;
    /** For routes outside of the contracts: a call may occupy a worker or connection for long. */
    longCall?: boolean;
  }
}

export function requestContextOf(request: FastifyRequest, reply: FastifyReply): RequestContext {
  return (request.requestContext ??= newContext(request, reply));
}

function newContext(request: FastifyRequest, reply: FastifyReply): RequestContext {
  const { config, url } = request.routeOptions;
  const route = config?.contractRoute ?? null;
  return new RequestContext(request, reply, route, route?.label ?? labelOf(request.method, url));
}

function labelOf(method: string, url: string | undefined): string {
  return url === undefined ? 'unknown' : `${method === 'HEAD' ? 'GET' : method} ${url.replace(/\(.*?\)/, '')}`;
}
