import type { IncomingHttpHeaders } from 'node:http';

const MAX_AGE_SECONDS = '600';
const ALLOWED = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'Last-Event-ID',
  'Mcp-Method',
  'Mcp-Name',
  'MCP-Protocol-Version',
  'X-Request-Id',
  'X-Service-Api-Key',
  'X-Service-Application',
  'X-Service-Intent',
  'X-Service-Session-Id',
  'traceparent',
];
/** What clients of other makers add to each call, such as `X-Stainless-Lang`. */
const OF_CLIENTS = /^(x-stainless|openai)-[a-z-]{1,40}$/;
const MAX_OF_CLIENTS = 20;
const EXPOSED = [
  'Allow',
  'Content-Disposition',
  'Deprecation',
  'ETag',
  'Idempotent-Replayed',
  'Link',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'X-Request-Id',
  'X-Service-Run-Id',
  'X-Service-Session-Id',
  'X-Service-Task-Id',
].join(', ');

/** Never allows credentials such as cookies. */
export class Cors {
  private readonly origins: ReadonlySet<string>;
  /** When false, no response depends on the origin of its request, so `Vary` is not needed. */
  readonly enabled: boolean;

  constructor(origins: readonly string[]) {
    this.origins = new Set(origins);
    this.enabled = origins.length > 0;
  }

  allows(origin: string): boolean {
    return this.origins.has(origin);
  }

  addTo(headers: Record<string, string>, { origin }: IncomingHttpHeaders): void {
    headers.vary = headers.vary === undefined ? 'Origin' : `Origin, ${headers.vary}`;
    if (origin === undefined || !this.origins.has(origin)) return;
    headers['access-control-allow-origin'] = origin;
    headers['access-control-expose-headers'] = EXPOSED;
  }

  preflight(headers: IncomingHttpHeaders, methods: readonly string[]): Record<string, string> {
    const asked = headers['access-control-request-method'] !== undefined && this.origins.has(headers.origin ?? '');
    if (!asked) return {};
    return {
      'Access-Control-Allow-Methods': methods.join(', '),
      'Access-Control-Allow-Headers': [...ALLOWED, ...ofClients(headers)].join(', '),
      'Access-Control-Max-Age': MAX_AGE_SECONDS,
    };
  }
}

function ofClients(headers: IncomingHttpHeaders): string[] {
  const asked = headers['access-control-request-headers']?.toLowerCase().split(',') ?? [];
  return asked
    .map((name) => name.trim())
    .filter((name) => OF_CLIENTS.test(name))
    .slice(0, MAX_OF_CLIENTS);
}
