import { Controller, Get, Param } from '@nestjs/common';
import { ApiError } from '@signalbox/contracts';
import { acceptsEncoding, ContentReply, EmptyReply, type Reply, type ReplyHeaders } from '../replies/index.js';
import { Context, Public, type RequestContext } from '../request/index.js';
import { type PortalFile, PortalFiles } from './portal-files.js';

const IMMUTABLE = 'public, max-age=31536000, immutable';
/** Trusted Types without policies: no code can turn text into markup. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');
const PAGE_HEADERS = {
  'Content-Security-Policy': POLICY,
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
};

@Controller()
@Public()
export class PortalPagesController {
  constructor(private readonly files: PortalFiles) {}

  @Get(['/', '/sign-in', '/c/*'])
  page(@Context() context: RequestContext): Reply {
    return fileReply(context, this.files.page, 'no-cache');
  }

  @Get('/assets/:name')
  asset(@Context() context: RequestContext, @Param('name') name: string): Reply {
    return fileReply(context, this.files.asset(name), IMMUTABLE);
  }
}

function fileReply({ request: { headers: given } }: RequestContext, file: PortalFile | null, cache: string): Reply {
  if (!file) throw new ApiError('not_found', 'no such page');
  const headers: ReplyHeaders = { ...PAGE_HEADERS, ETag: file.etag, 'Cache-Control': cache, Vary: 'Accept-Encoding' };
  if (given['if-none-match']?.split(/\s*,\s*/).some((tag) => tag.replace(/^W\//, '') === file.etag))
    return new EmptyReply(304, headers);
  const encoding = (['br', 'gzip'] as const).find(
    (name) => acceptsEncoding(given['accept-encoding'], name) && file.compressed[name],
  );
  const bytes = (encoding && file.compressed[encoding]) ?? file.plain;
  return new ContentReply(bytes, file.type, encoding ? { ...headers, 'Content-Encoding': encoding } : headers);
}
