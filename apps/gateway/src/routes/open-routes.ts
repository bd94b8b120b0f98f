import { Injectable } from '@nestjs/common';
import { registry } from '@signalbox/platform';
import { Document, type ServedDocument } from '../docs/document.js';
import { Readiness } from '../health/readiness.js';
import type { Exchange } from '../replies/exchange.js';
import { Replies } from '../replies/replies.js';
import { PREFIX } from './route-definition.js';

/** Handler of a path that needs no key. */
export type Answer = (exchange: Exchange) => void | Promise<void>;

/** The paths of the gateway itself: health, metrics, the documents and their page. */
@Injectable()
export class OpenRoutes {
  constructor(
    private readonly replies: Replies,
    private readonly readiness: Readiness,
    private readonly document: Document,
  ) {}

  readonly answers: Record<string, Answer> = {
    '/healthz': (exchange) => this.replies.json(exchange, 200, { status: 'ok' }),
    '/readyz': async (exchange) => {
      const report = await this.readiness.report();
      this.replies.json(exchange, report.status === 'ok' ? 200 : 503, report);
    },
    '/metrics': async (exchange) => this.replies.text(exchange, 200, await registry.metrics(), registry.contentType),
    [`${PREFIX}/openapi.json`]: (exchange) => this.serve(exchange, this.document.openApi),
    [`${PREFIX}/asyncapi.json`]: (exchange) => this.serve(exchange, this.document.asyncApi),
    '/docs': (exchange) =>
      this.replies.text(exchange, 200, this.document.page, 'text/html; charset=utf-8', {
        'Content-Security-Policy': this.document.pagePolicy,
        'Referrer-Policy': 'no-referrer',
        'Cache-Control': 'no-cache',
      }),
  };

  private serve(exchange: Exchange, { json, etag }: ServedDocument): void {
    const headers = { ETag: etag, 'Cache-Control': 'no-cache' };
    const known = exchange.request.headers['if-none-match'];
    if (known?.split(/\s*,\s*/).some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag))
      this.replies.empty(exchange, 304, headers);
    else this.replies.text(exchange, 200, json, 'application/json; charset=utf-8', headers);
  }
}
