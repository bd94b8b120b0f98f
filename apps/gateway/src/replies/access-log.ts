import { Inject, Injectable } from '@nestjs/common';
import { createAccessLogger, LOGGER, type Logger, traceIdOf } from '@signalbox/platform';
import type { RequestContext } from '../request/index.js';
import { httpDuration } from './http-metrics.js';

@Injectable()
export class AccessLog {
  private readonly log: Logger;

  constructor(@Inject(LOGGER) logger: Logger) {
    this.log = createAccessLogger(logger);
  }

  note({ request, label, startedAt, key, traceparent }: RequestContext, status: number): void {
    const ms = performance.now() - startedAt;
    httpDuration.observe({ endpoint: label, status }, ms / 1000);
    const line = {
      method: request.method,
      route: label,
      status,
      ms: Math.round(ms * 100) / 100,
      request_id: request.id,
      company_id: key?.companyId ?? null,
      key_id: key?.keyId ?? null,
    };
    this.log.info(traceparent === null ? line : { ...line, trace_id: traceIdOf(traceparent) }, 'request');
  }
}
