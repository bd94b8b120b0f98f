import { type ArgumentsHost, Catch, type ExceptionFilter, Inject, Injectable } from '@nestjs/common';
import { ApiError, errorBody, openAiError, toApiError } from '@signalbox/contracts';
import { LOGGER, type Logger } from '@signalbox/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type RequestContext, requestContextOf } from '../request/index.js';
import { ofFramework } from './framework-errors.js';
import { JsonReply } from './reply.js';
import { ResponseWriter } from './response-writer.js';

/** See docs/api/errors.md. */
@Injectable()
@Catch()
export class ApiExceptionFilter implements ExceptionFilter {
  constructor(
    private readonly writer: ResponseWriter,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const [request, reply] = host.getArgs<[FastifyRequest, FastifyReply]>();
    this.refuse(requestContextOf(request, reply), thrown);
  }

  refuse(context: RequestContext, thrown: unknown): void {
    const error = toApiError(ofFramework(thrown));
    if (error.kind === 'internal' && !(thrown instanceof ApiError))
      this.logger.error({ error: thrown, request_id: context.request.id }, 'request failed');
    if (context.response.headersSent) context.response.destroy();
    else this.replyTo(context, error).send(context, this.writer);
    context.end();
  }

  private replyTo({ shape }: RequestContext, error: ApiError): JsonReply {
    const { headers, retryAfter } = error.extras;
    const retry = retryAfter === undefined ? undefined : { 'Retry-After': String(Math.ceil(retryAfter)) };
    const body = shape === 'openai' ? openAiError(error) : errorBody(error);
    return JsonReply.of({ error: body }, error.status, { ...headers, ...retry });
  }
}
