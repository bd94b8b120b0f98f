import { type ArgumentsHost, Catch, type ExceptionFilter, Inject, Injectable, NotFoundException } from '@nestjs/common';
import { ApiError } from '@signalbox/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Authenticator } from '../keys/index.js';
import { RateLimits } from '../limits/index.js';
import { MCP_PATHS } from '../mcp/index.js';
import { ApiExceptionFilter, Cors, EmptyReply, ResponseWriter } from '../replies/index.js';
import { PathTable, PREFIX, RequestContext, requestContextOf } from '../request/index.js';
import { ROLE, type Role } from '../role.js';
import { servedPaths } from './served-paths.js';

/** Carries the error of the router for a path that it cannot decode. */
export class Unmatched extends Error {
  constructor(readonly routerError: Error | null = null) {
    super('no handler serves the request');
  }
}

/** Under the prefix, 401 comes before 404 and 405. */
@Injectable()
@Catch(NotFoundException, Unmatched)
export class UnmatchedFilter implements ExceptionFilter {
  private readonly table: PathTable;

  constructor(
    private readonly authenticator: Authenticator,
    private readonly limits: RateLimits,
    private readonly errors: ApiExceptionFilter,
    private readonly writer: ResponseWriter,
    private readonly cors: Cors,
    @Inject(ROLE) role: Role,
  ) {
    const ownPaths = role.name === 'gateway' ? MCP_PATHS : [];
    const own = ownPaths.map((path) => ({ path, methods: ['POST'], open: false }));
    this.table = new PathTable([...servedPaths(role.contracts), ...own]);
  }

  async catch(thrown: NotFoundException | Unmatched, host: ArgumentsHost): Promise<void> {
    const [request, reply] = host.getArgs<[FastifyRequest, FastifyReply]>();
    const isUnmatched = thrown instanceof Unmatched || request.is404;
    if (isUnmatched) request.requestContext = new RequestContext(request, reply, null, 'unknown');
    const context = requestContextOf(request, reply);
    try {
      if (!isUnmatched) throw thrown;
      await this.answer(context, thrown);
    } catch (error) {
      this.errors.refuse(context, error);
    }
  }

  private async answer(context: RequestContext, thrown: Error): Promise<void> {
    const { request } = context;
    const path = (request.raw.url ?? '').replace(/[?#].*$/s, '');
    const found = this.table.find(path);
    const isOptions = request.method === 'OPTIONS';
    // Outside the prefix nothing is protected, and a preflight carries no key.
    const isPublic = isOptions || (found?.open ?? !(path === PREFIX || path.startsWith(`${PREFIX}/`)));
    if (!isPublic) {
      await this.authenticator.identify(context);
      this.limits.chargeKey(context);
    }
    if (thrown instanceof Unmatched && thrown.routerError) throw thrown.routerError;
    if (!found) throw new ApiError('not_found', 'no such endpoint');
    const headers = { Allow: [...found.methods, 'OPTIONS'].join(', ') };
    if (!isOptions) throw new ApiError('method_not_allowed', `${request.method} is not served here`, { headers });
    const allowed = { ...headers, ...this.cors.preflight(request.headers, found.methods) };
    new EmptyReply(204, allowed).send(context, this.writer);
  }
}
