import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { ApiError } from '@signalbox/contracts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { parseBody } from '../bodies/bodies.js';
import { BodyReader } from '../bodies/body-reader.js';
import { afterUnreadBody } from '../bodies/unread-body.js';
import { AnonymousRateLimiter } from '../limits/anonymous-rate-limiter.js';
import { Exchange } from '../replies/exchange.js';
import { Replies, type ReplyHeaders } from '../replies/replies.js';
import { ROLE, type Role } from '../role.js';
import { type PortalFile, PortalFiles } from './portal-files.js';
import { PortalSignIn } from './portal-sign-in.js';

const MAX_BODY_BYTES = 1024;
const IMMUTABLE = 'public, max-age=31536000, immutable';
/** The page loads its own files and calls its own origin, nothing else; text becomes markup nowhere. */
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
const PAGES = ['/', '/sign-in', '/c/*'];

type Serve = (exchange: Exchange, request: FastifyRequest) => void | Promise<void>;

/** The portal: its files, and signing in and out. Everything that its pages show comes from the API. */
@Injectable()
export class PortalRoutes implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost,
    private readonly files: PortalFiles,
    private readonly signIn: PortalSignIn,
    private readonly replies: Replies,
    private readonly bodies: BodyReader,
    private readonly anonymous: AnonymousRateLimiter,
    @Inject(ROLE) private readonly role: Role,
  ) {}

  onModuleInit(): void {
    if (this.role.name !== 'gateway') return;
    const app = this.host.httpAdapter.getInstance<FastifyInstance>();
    void app.register((group, _options, done) => {
      // The body is read by its route, after the request is known to be acceptable.
      group.removeAllContentTypeParsers();
      group.addContentTypeParser('*', (_request, _payload, parsed) => parsed(null));
      this.mountFiles(group);
      this.mountSessions(group);
      done();
    });
  }

  private mountFiles(group: FastifyInstance): void {
    for (const path of PAGES)
      this.route(group, ['GET', 'HEAD'], path, (exchange) => this.file(exchange, this.files.page, 'no-cache'));
    this.route(group, ['GET', 'HEAD'], '/assets/:name', (exchange, { params }) =>
      this.file(exchange, this.files.asset((params as { name: string }).name), IMMUTABLE),
    );
  }

  private mountSessions(group: FastifyInstance): void {
    const companyOf = ({ params }: FastifyRequest): number => Number((params as { company_id: string }).company_id);
    const path = '/c/:company_id(^[1-9]\\d{0,9}$)/session';
    this.route(group, ['POST'], '/portal/session', async (exchange, request) => {
      this.anonymous.admit(exchange);
      const { login, cookie } = await this.signIn.open(exchange, await this.credentials(request));
      this.replies.json(exchange, 200, { data: login }, { 'Set-Cookie': cookie });
    });
    this.route(group, ['GET', 'HEAD'], path, async (exchange, request) =>
      this.replies.json(exchange, 200, { data: await this.signIn.describe(exchange, companyOf(request)) }),
    );
    this.route(group, ['DELETE'], path, async (exchange, request) => {
      const cookie = await this.signIn.close(exchange, companyOf(request));
      this.replies.json(exchange, 200, { data: { closed: true } }, { 'Set-Cookie': cookie });
    });
  }

  private route(group: FastifyInstance, method: string[], url: string, serve: Serve): void {
    const handler = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const exchange = new Exchange(request, reply.raw, `${method[0]} ${url.replace(/\(.*?\)/, '')}`);
      reply.hijack();
      try {
        await serve(exchange, request);
      } catch (error) {
        afterUnreadBody(request.raw, () => this.replies.error(exchange, error));
      }
    };
    group.route({ method, url, handler, exposeHeadRoute: false });
  }

  private file(exchange: Exchange, file: PortalFile | null, cache: string): void {
    if (!file) throw new ApiError('not_found', 'no such page');
    const headers: ReplyHeaders = { ...PAGE_HEADERS, ETag: file.etag, 'Cache-Control': cache, Vary: 'Accept-Encoding' };
    const { headers: given } = exchange.request;
    if (given['if-none-match']?.split(/\s*,\s*/).some((tag) => tag.replace(/^W\//, '') === file.etag))
      return this.replies.empty(exchange, 304, headers);
    const accepted = String(given['accept-encoding'] ?? '');
    const encoding = (['br', 'gzip'] as const).find((name) => accepted.includes(name) && file.compressed[name]);
    const bytes = (encoding && file.compressed[encoding]) ?? file.plain;
    this.replies.bytes(exchange, bytes, file.type, encoding ? { ...headers, 'Content-Encoding': encoding } : headers);
  }

  /** The key or ticket of a sign-in; throws 413, 415 and 400. */
  private async credentials(request: FastifyRequest): Promise<{ key?: string; ticket?: string }> {
    if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? ''))
      throw new ApiError('unsupported_media', 'the body must be application/json');
    const bytes = await new Promise<Buffer>((resolve, reject) =>
      this.bodies.read(request, MAX_BODY_BYTES, (error, body) => (body ? resolve(body) : reject(error as Error))),
    );
    const body = parseBody(bytes, false);
    const [name, value] = Object.entries(Object(body) as object)[0] ?? [];
    const isOne = Object.keys(Object(body) as object).length === 1 && (name === 'key' || name === 'ticket');
    if (!isOne || typeof value !== 'string' || value === '')
      throw new ApiError('invalid', 'the body must be {"key": …} or {"ticket": …}');
    return { [name]: value };
  }
}
