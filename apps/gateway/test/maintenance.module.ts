import { type CanActivate, type ExecutionContext, Injectable, Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ApiError } from '@signalbox/contracts';
import type { FastifyRequest } from 'fastify';

@Injectable()
export class MaintenanceGuard implements CanActivate {
  canActivate(execution: ExecutionContext): true {
    const { method } = execution.switchToHttp().getRequest<FastifyRequest>();
    if (method === 'GET') return true;
    throw new ApiError('unavailable', 'only reading is possible at the moment', { retryAfter: 60 });
  }
}

@Module({ providers: [{ provide: APP_GUARD, useClass: MaintenanceGuard }] })
export class MaintenanceModule {}
