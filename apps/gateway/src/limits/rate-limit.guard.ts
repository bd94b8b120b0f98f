import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requestContextOf } from '../request/index.js';
import { AnonymousRateLimiter } from './anonymous-rate-limiter.js';
import { RateLimits } from './rate-limits.js';

/** Throws 429. */
@Injectable()
export class RateLimitGuard implements CanActivate {
  constructor(
    private readonly limits: RateLimits,
    private readonly anonymous: AnonymousRateLimiter,
  ) {}

  canActivate(execution: ExecutionContext): true {
    const context = requestContextOf(...execution.getArgs<[FastifyRequest, FastifyReply]>());
    if (context.key) this.limits.chargeKey(context);
    else if (context.route) this.anonymous.admit(context);
    return true;
  }
}
