import { Controller, Get } from '@nestjs/common';
import { AnonymousRateLimiter } from '../limits/index.js';
import { acceptsEncoding, ContentReply, EmptyReply, type Reply, type ReplyHeaders } from '../replies/index.js';
import { Context, PREFIX, Public, type RequestContext } from '../request/index.js';
import { Document, type ServedDocument } from './document.js';

const [OPEN_API, ASYNC_API, PAGE] = [`${PREFIX}/openapi.json`, `${PREFIX}/asyncapi.json`, '/docs'];

export const DOCUMENT_PATHS = [OPEN_API, ASYNC_API, PAGE];

/** Charged to the budget of an address, in calls. */
const DOCUMENT_COST = 5;

@Controller()
@Public()
export class DocsController {
  constructor(
    private readonly document: Document,
    private readonly anonymous: AnonymousRateLimiter,
  ) {}

  @Get(OPEN_API)
  openApi(@Context() context: RequestContext): Promise<Reply> {
    return this.serve(context, this.document.openApi);
  }

  @Get(ASYNC_API)
  asyncApi(@Context() context: RequestContext): Promise<Reply> {
    return this.serve(context, this.document.asyncApi);
  }

  @Get(PAGE)
  page(@Context() context: RequestContext): Promise<Reply> {
    return this.serve(context, this.document.page, {
      'Content-Security-Policy': this.document.pagePolicy,
      'Referrer-Policy': 'no-referrer',
    });
  }

  private async serve(context: RequestContext, document: ServedDocument, more: ReplyHeaders = {}): Promise<Reply> {
    const { headers: asked } = context.request;
    const isCompressed = acceptsEncoding(asked['accept-encoding'], 'gzip');
    const etag = `"${document.etag}${isCompressed ? '-gzip' : ''}"`;
    const headers = { ...more, ETag: etag, 'Cache-Control': 'no-cache', Vary: 'Accept-Encoding' };
    const known = asked['if-none-match']?.split(/\s*,\s*/) ?? [];
    const isKnown = known.some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag);
    this.anonymous.admit(context, isKnown ? 1 : DOCUMENT_COST);
    if (isKnown) return new EmptyReply(304, headers);
    if (!isCompressed) return new ContentReply(document.bytes, document.type, headers);
    return new ContentReply(await document.compressed, document.type, { ...headers, 'Content-Encoding': 'gzip' });
  }
}
