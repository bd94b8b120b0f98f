import { Inject, Injectable } from '@nestjs/common';
import { ApiError, type Contract } from '@signalbox/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Authenticator } from '../keys/authenticator.js';
import { Cors } from '../replies/cors.js';
import { Exchange } from '../replies/exchange.js';
import { Replies } from '../replies/replies.js';
import { ROLE, type Role } from '../role.js';
import { OpenRoutes } from './open-routes.js';
import { PathTable, type ServedPath } from './path-table.js';
import { routeDefinitionsOf, PREFIX } from './route-definition.js';

function served(contracts: readonly Contract[], open: readonly string[]): ServedPath[] {
  const paths = new Map<string, ServedPath>();
  const add = (path: string, methods: string[], isOpen: boolean): void => {
    const known = paths.get(path) ?? { path, methods: [], open: false };
    paths.set(path, { path, methods: [...known.methods, ...methods], open: known.open || isOpen });
  };
  for (const { path, methods, endpoint } of routeDefinitionsOf(contracts))
    add(PREFIX + path, methods, endpoint.scope === 'none');
  for (const path of open) add(path, ['GET', 'HEAD'], true);
  return [...paths.values()];
}

/** Responds to requests that matched no route: 401 before 404 and 405 under the prefix. */
@Injectable()
export class Unmatched {
  readonly table: PathTable;

  constructor(
    private readonly gate: Authenticator,
    private readonly replies: Replies,
    private readonly cors: Cors,
    routes: OpenRoutes,
    @Inject(ROLE) role: Role,
  ) {
    this.table = new PathTable(served(role.contracts, Object.keys(routes.answers)));
  }

  /** `error` is the router's error for the path itself. */
  async answer(request: FastifyRequest, reply: FastifyReply, error?: Error): Promise<void> {
    const exchange = new Exchange(request, reply.raw, 'unknown');
    try {
      const path = (request.raw.url ?? '').replace(/[?#].*$/s, '');
      const found = this.table.find(path);
      const isOptions = request.method === 'OPTIONS';
      // Outside the prefix nothing is protected, and a preflight carries no key.
      const isPublic = isOptions || (found?.open ?? !(path === PREFIX || path.startsWith(`${PREFIX}/`)));
      if (!isPublic) await this.gate.identify(exchange, false);
      if (error) throw error;
      if (!found) throw new ApiError('not_found', 'there is nothing at this path');
      const headers = { Allow: [...found.methods, 'OPTIONS'].join(', ') };
      if (!isOptions) throw new ApiError('method_not_allowed', `${request.method} is not served here`, { headers });
      this.replies.empty(exchange, 204, { ...headers, ...this.cors.preflight(request.headers, found.methods) });
    } catch (failure) {
      this.replies.error(exchange, failure);
    }
  }
}
