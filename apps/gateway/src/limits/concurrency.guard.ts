import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requestContextOf } from '../request/index.js';
import { Concurrency } from './concurrency.js';

/** Throws 429 and 503. */
@Injectable()
export class ConcurrencyGuard implements CanActivate {
  constructor(private readonly concurrency: Concurrency) {}

  canActivate(execution: ExecutionContext): true {
    const context = requestContextOf(...execution.getArgs<[FastifyRequest, FastifyReply]>());
    if (!context.isSlow) return true;
    const keyId = context.key?.keyId ?? 0;
    this.concurrency.enter(keyId);
    context.onEnd(() => this.concurrency.leave(keyId));
    return true;
  }
}
