import { Injectable, type PipeTransform } from '@nestjs/common';
import { type Endpoint, pathParameters } from '@signalbox/contracts';
import { UploadedBody } from '../bodies/index.js';
import { PREFIX } from '../request/index.js';
import type { Call } from './call.js';
import { IdempotencyClaims } from './idempotency-claims.js';

/**
 * Adds the claim of an `Idempotency-Key` to a call; the service stores it in the transaction of the call. Throws 400.
 * Not an interceptor, because the claim names the validated input.
 */
@Injectable()
export class IdempotencyPipe implements PipeTransform<Call, Call> {
  constructor(private readonly claims: IdempotencyClaims) {}

  transform(call: Call): Call {
    const { route, context, input, caller } = call;
    const { method, scope } = route.endpoint;
    // Without a key there is no company for the claim.
    const header = method === 'POST' && scope !== 'none' ? context.request.headers['idempotency-key'] : undefined;
    if (header !== undefined)
      caller.idempotency = this.claims.claim(header, concreteRoute(route.endpoint, input), comparable(context.body));
    return call;
  }
}

/** The body to compare with that of a repeated call: an upload has another id each time. */
const comparable = (body: unknown): unknown =>
  body instanceof UploadedBody ? { ...body, upload: body.upload.sha256 } : body;

/** `METHOD /path` with the values of the call, normalized: a path can be spelled in several ways. */
function concreteRoute({ method, path }: Endpoint, input: object): string {
  const values = input as Record<string, unknown>;
  const concrete = pathParameters(path).reduce(
    (text, name) => text.replace(`{${name}}`, encodeURIComponent(String(values[name]))),
    path ?? '',
  );
  return `${method} ${PREFIX}${concrete}`;
}
