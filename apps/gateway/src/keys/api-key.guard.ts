import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isPublic, requestContextOf } from '../request/index.js';
import { Authenticator } from './authenticator.js';

/** Throws 401 and 429. */
@Injectable()
export class ApiKeyGuard implements CanActivate {
  constructor(private readonly authenticator: Authenticator) {}

  canActivate(execution: ExecutionContext): true | Promise<true> {
    const context = requestContextOf(...execution.getArgs<[FastifyRequest, FastifyReply]>());
    const isOpen = context.route
      ? context.route.endpoint.scope === 'none'
      : isPublic(execution.getHandler(), execution.getClass());
    const identified = isOpen ? undefined : this.authenticator.identify(context);
    return identified ? identified.then(() => true as const) : true;
  }
}
