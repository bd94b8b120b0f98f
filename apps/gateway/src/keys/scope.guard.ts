import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requestContextOf } from '../request/index.js';
import { requireScope } from './authenticator.js';

@Injectable()
export class ScopeGuard implements CanActivate {
  canActivate(execution: ExecutionContext): true {
    const { key, route } = requestContextOf(...execution.getArgs<[FastifyRequest, FastifyReply]>());
    if (route) requireScope(key, route.endpoint.scope);
    return true;
  }
}
