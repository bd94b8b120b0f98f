import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { requestContextOf } from './request-context.js';

export const Context = createParamDecorator((_data: unknown, execution: ExecutionContext) =>
  requestContextOf(...execution.getArgs<[FastifyRequest, FastifyReply]>()),
);
