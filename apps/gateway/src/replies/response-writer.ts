import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../request/index.js';
import { AccessLog } from './access-log.js';
import { Cors } from './cors.js';
import { Draining } from './draining.js';
import { headerText } from './header-text.js';

/** Headers of one response, in addition to the common ones. */
export type ReplyHeaders = Record<string, string>;

/** Writes every response of the gateway, with its common headers and its line in the access log. */
@Injectable()
export class ResponseWriter {
  constructor(
    private readonly draining: Draining,
    private readonly log: AccessLog,
    private readonly cors: Cors,
  ) {}

  /** A response whose body is known. */
  whole(context: RequestContext, status: number, body: string | Buffer, type: string, more: ReplyHeaders): void {
    const headers = this.headers(context, more);
    headers['content-type'] = type;
    context.reply.code(status).headers(headers).send(body);
    this.log.note(context, status);
  }

  /** A response without a body. */
  empty(context: RequestContext, status: number, more: ReplyHeaders): void {
    context.reply.code(status).headers(this.headers(context, more)).send();
    this.log.note(context, status);
  }

  /** Begins a response whose body is written while it is made; `ended` follows. */
  begin(context: RequestContext, more: ReplyHeaders): ServerResponse {
    const response = context.response.writeHead(200, this.headers(context, more));
    context.reply.hijack();
    return response;
  }

  /** A response that `begin` has begun has ended. */
  ended(context: RequestContext): void {
    this.log.note(context, 200);
  }

  private headers({ request, rateLimit, successor }: RequestContext, more: ReplyHeaders): ReplyHeaders {
    const headers: ReplyHeaders = {
      'x-request-id': request.id,
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    };
    if (rateLimit) {
      headers['ratelimit-limit'] = String(rateLimit.limit);
      headers['ratelimit-remaining'] = String(rateLimit.remaining);
      headers['ratelimit-reset'] = String(rateLimit.reset);
    }
    if (successor !== null) {
      headers.deprecation = 'true';
      headers.link = `<${successor}>; rel="successor-version"`;
    }
    for (const name of Object.keys(more)) headers[name.toLowerCase()] = headerText(more[name] ?? '');
    if (this.cors.enabled) this.cors.addTo(headers, request.raw.headers);
    if (this.draining.started) headers.connection = 'close';
    return headers;
  }
}
