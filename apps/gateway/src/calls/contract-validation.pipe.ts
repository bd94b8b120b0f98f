import { Inject, Injectable, type PipeTransform } from '@nestjs/common';
import type { Caller } from '@signalbox/contracts';
import { type RequestContext, requireFewParameters, type RouteDefinition, type Texts } from '../request/index.js';
import { GATEWAY_SETTINGS, type GatewaySettings } from '../settings.js';
import type { Call } from './call.js';

const CALL_MS = 30_000;
/** A compiler that starts next to other work has taken more than half a minute. */
const LONG_CALL_MS = 120_000;
const GRACE_SECONDS = 5;

/** Merges path, query, headers and body into one input and validates it. Throws 400. */
@Injectable()
export class ContractValidationPipe implements PipeTransform<RequestContext, Call> {
  private readonly slowMs: number;

  constructor(@Inject(GATEWAY_SETTINGS) { INVOKE_TIMEOUT_SECONDS }: GatewaySettings) {
    this.slowMs = (INVOKE_TIMEOUT_SECONDS + GRACE_SECONDS) * 1000;
  }

  transform(context: RequestContext): Call {
    const { route } = context;
    if (route === null) throw new Error('the route belongs to no contract');
    requireFewParameters(context.request.raw.url ?? '');
    return { route, context, input: inputOf(route, context), caller: this.callerOf(route, context) };
  }

  private callerOf({ endpoint }: RouteDefinition, { request, key, companyId, traceparent }: RequestContext): Caller {
    const caller: Caller = {
      companyId,
      keyId: key?.keyId ?? null,
      scopes: (key?.scopes ?? []) as Caller['scopes'],
      requestId: request.id,
      deadline: Date.now() + this.limitOf(endpoint),
    };
    if (traceparent !== null) caller.traceparent = traceparent;
    return caller;
  }

  /** How long an operator lets an invocation wait says nothing about what else takes long. */
  private limitOf({ slow, longDeadline }: RouteDefinition['endpoint']): number {
    if (slow) return this.slowMs;
    return longDeadline ? Math.max(LONG_CALL_MS, this.slowMs) : CALL_MS;
  }
}

function inputOf(route: RouteDefinition, context: RequestContext): object {
  const { request } = context;
  const query = request.query as Texts;
  const resumed = route.resumable ? request.headers['last-event-id'] : undefined;
  const texts = typeof resumed === 'string' ? { ...query, last_event_id: resumed } : query;
  return route.reader.read(request.params as Texts, texts, withHeaders(route, context));
}

/** Fields of the body win over those sent as headers. */
function withHeaders({ headers: named }: RouteDefinition, { body, request: { headers } }: RequestContext): unknown {
  const given = named.filter(({ header }) => typeof headers[header] === 'string');
  if (given.length === 0 || typeof body !== 'object' || body === null || Array.isArray(body)) return body;
  return { ...Object.fromEntries(given.map(({ field, header }) => [field, headers[header]])), ...body };
}
