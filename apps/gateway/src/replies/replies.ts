import { Inject, Injectable } from '@nestjs/common';
import { ApiError, errorBody, openAiError, type RawReply, toApiError } from '@signalbox/contracts';
import { textIn, type WireReply } from '@signalbox/bus';
import { LOGGER, type Logger } from '@signalbox/platform';
import { Draining } from '../health/draining.js';
import { Cors } from './cors.js';
import type { Exchange } from './exchange.js';
import { headerText } from './header-text.js';
import { AccessLog } from './access-log.js';

/** Headers of one response, in addition to the common ones. */
export type ReplyHeaders = Record<string, string>;

const JSON_TYPE = 'application/json; charset=utf-8';

/** Writes responses straight to the socket: the bytes of a service are not parsed. */
@Injectable()
export class Replies {
  constructor(
    private readonly draining: Draining,
    private readonly log: AccessLog,
    private readonly cors: Cors,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** A resource or an unpaged list: the reply of the service inside `{"data": …}`. */
  enveloped(exchange: Exchange, { body, headers }: WireReply): void {
    if (typeof body === 'string') return this.text(exchange, 200, `{"data":${body}}`, JSON_TYPE, headers);
    // Latin-1 preserves every byte, and a string is written together with the head where a buffer needs two writes.
    const text = `{"data":${latin1(body)}}`;
    this.write(exchange, 200, text, 'latin1', text.length, JSON_TYPE, headers);
  }

  /** A page: the reply of the service is the whole body already. */
  page(exchange: Exchange, { body, headers }: WireReply): void {
    if (typeof body === 'string') this.text(exchange, 200, body, JSON_TYPE, headers);
    else this.write(exchange, 200, latin1(body), 'latin1', body.length, JSON_TYPE, headers);
  }

  /** Content outside the envelope. */
  raw(exchange: Exchange, wire: WireReply): void {
    const reply = JSON.parse(textIn(wire)) as RawReply;
    const { status = 200, body, contentType, encoding = 'utf8' } = reply;
    const headers = { ...wire.headers, ...reply.headers };
    this.write(exchange, status, body, encoding, Buffer.byteLength(body, encoding), contentType, headers);
  }

  /** Data of the gateway itself as JSON. */
  json(exchange: Exchange, status: number, data: unknown, headers?: ReplyHeaders): void {
    this.text(exchange, status, JSON.stringify(data), JSON_TYPE, headers);
  }

  text(exchange: Exchange, status: number, text: string, type: string, headers?: ReplyHeaders): void {
    this.write(exchange, status, text, 'utf8', Buffer.byteLength(text), type, headers);
  }

  /** Bytes that several responses share. */
  bytes(exchange: Exchange, bytes: Buffer, type: string, more: ReplyHeaders): void {
    const headers = this.headers(exchange, more);
    headers.push('Content-Type', type, 'Content-Length', String(bytes.length));
    exchange.response.writeHead(200, headers);
    exchange.response.end(bytes);
    this.log.note(exchange, 200);
  }

  /** A response without a body. */
  empty(exchange: Exchange, status: number, headers?: ReplyHeaders): void {
    this.head(exchange, status, headers).end();
    this.log.note(exchange, status);
  }

  /** Any thrown error as the error body of docs/api/README.md. */
  error(exchange: Exchange, thrown: unknown): void {
    const error = toApiError(thrown);
    if (error.kind === 'internal' && !(thrown instanceof ApiError))
      this.logger.error({ error: thrown, request_id: exchange.request.id }, 'request failed');
    if (exchange.response.headersSent) {
      exchange.response.destroy();
      return;
    }
    const { headers, retryAfter } = error.extras;
    const retry = retryAfter === undefined ? undefined : { 'Retry-After': String(Math.ceil(retryAfter)) };
    const body = exchange.shape === 'openai' ? openAiError(error) : errorBody(error);
    this.json(exchange, error.status, { error: body }, { ...headers, ...retry });
  }

  /** The head of a chunked response. */
  head(exchange: Exchange, status: number, headers?: ReplyHeaders): Exchange['response'] {
    const { response } = exchange;
    response.writeHead(status, this.headers(exchange, headers));
    return response;
  }

  private write(
    exchange: Exchange,
    status: number,
    body: string,
    encoding: 'latin1' | 'utf8' | 'base64',
    length: number,
    type: string,
    more?: ReplyHeaders,
  ): void {
    const headers = this.headers(exchange, more);
    headers.push('Content-Type', type, 'Content-Length', String(length));
    exchange.response.writeHead(status, headers);
    exchange.response.end(body, encoding);
    this.log.note(exchange, status);
  }

  private headers({ request, quota, successor }: Exchange, more?: ReplyHeaders): string[] {
    const list = more?.['X-Request-Id'] ? [] : ['X-Request-Id', request.id];
    list.push('X-Content-Type-Options', 'nosniff');
    if (more?.['Cache-Control'] === undefined) list.push('Cache-Control', 'no-store');
    if (quota) {
      list.push('RateLimit-Limit', String(quota.limit), 'RateLimit-Remaining', String(quota.remaining));
      list.push('RateLimit-Reset', String(quota.reset));
    }
    if (successor !== null) list.push('Deprecation', 'true', 'Link', `<${successor}>; rel="successor-version"`);
    if (this.cors.enabled) this.cors.addTo(list, request.raw.headers);
    if (more) for (const name of Object.keys(more)) list.push(name, headerText(more[name] ?? ''));
    if (this.draining.started) list.push('Connection', 'close');
    return list;
  }
}

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
