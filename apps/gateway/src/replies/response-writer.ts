import type { ServerResponse } from 'node:http';
import { Injectable } from '@nestjs/common';
import type { RequestContext } from '../request/index.js';
import { AccessLog } from './access-log.js';
import { Cors } from './cors.js';
import { Draining } from './draining.js';
import { headerText } from './header-text.js';

export type ReplyHeaders = Record<string, string>;

@Injectable()
export class ResponseWriter {
  constructor(
    private readonly draining: Draining,
    private readonly log: AccessLog,
    private readonly cors: Cors,
  ) {}

  whole(context: RequestContext, status: number, body: string | Buffer, type: string, more: ReplyHeaders): void {
    const headers = this.headers(context, more);
    headers['content-type'] = type;
    context.reply.code(status).headers(headers).send(body);
    this.log.note(context, status);
  }

  empty(context: RequestContext, status: number, more: ReplyHeaders): void {
    context.reply.code(status).headers(this.headers(context, more)).send();
    this.log.note(context, status);
  }

  /** Sends the head of a response whose body follows in pieces; `ended` must be called after it. */
  begin(context: RequestContext, more: ReplyHeaders): ServerResponse {
    const response = context.response.writeHead(200, this.headers(context, more));
    context.reply.hijack();
    return response;
  }

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
