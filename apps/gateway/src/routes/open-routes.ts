import { Injectable } from '@nestjs/common';
import { Document, type ServedDocument } from '../docs/document.js';
import { Readiness } from '../health/readiness.js';
import { AnonymousRateLimiter } from '../limits/anonymous-rate-limiter.js';
import type { Exchange } from '../replies/exchange.js';
import { Replies, type ReplyHeaders } from '../replies/replies.js';
import { PREFIX } from './route-definition.js';

/** Handler of a path that needs no key. */
export type Answer = (exchange: Exchange) => void | Promise<void>;

/** What a document costs of the budget of an address, in calls. */
const DOCUMENT_COST = 5;

/** The paths of the gateway itself: health, the documents and their page. Metrics are on the health port alone. */
@Injectable()
export class OpenRoutes {
  constructor(
    private readonly replies: Replies,
    private readonly readiness: Readiness,
    private readonly document: Document,
    private readonly anonymous: AnonymousRateLimiter,
  ) {}

  readonly answers: Record<string, Answer> = {
    '/healthz': (exchange) => this.replies.json(exchange, 200, { status: 'ok' }),
    '/readyz': async (exchange) => {
      const report = await this.readiness.report();
      this.replies.json(exchange, report.status === 'ok' ? 200 : 503, report);
    },
    [`${PREFIX}/openapi.json`]: (exchange) => this.serve(exchange, this.document.openApi),
    [`${PREFIX}/asyncapi.json`]: (exchange) => this.serve(exchange, this.document.asyncApi),
    '/docs': (exchange) =>
      this.serve(exchange, this.document.page, {
        'Content-Security-Policy': this.document.pagePolicy,
        'Referrer-Policy': 'no-referrer',
      }),
  };

  private async serve(exchange: Exchange, document: ServedDocument, more: ReplyHeaders = {}): Promise<void> {
    const { headers: asked } = exchange.request;
    const isCompressed = acceptsGzip(asked['accept-encoding']);
    const etag = `"${document.etag}${isCompressed ? '-gzip' : ''}"`;
    const headers = { ...more, ETag: etag, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' };
    const known = asked['if-none-match']?.split(/\s*,\s*/) ?? [];
    const isKnown = known.some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag);
    this.anonymous.admit(exchange, isKnown ? 1 : DOCUMENT_COST);
    if (isKnown) return this.replies.empty(exchange, 304, headers);
    if (!isCompressed) return this.replies.bytes(exchange, document.bytes, document.type, headers);
    const bytes = await document.compressed;
    this.replies.bytes(exchange, bytes, document.type, { ...headers, 'Content-Encoding': 'gzip' });
  }
}

const acceptsGzip = (accepted: string | string[] | undefined): boolean =>
  /(^|,)\s*gzip\s*(;\s*q=(?!0(\.0*)?\s*(,|$))|,|$)/i.test(String(accepted ?? ''));
