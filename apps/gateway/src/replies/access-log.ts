import { Inject, Injectable } from '@nestjs/common';
import { httpDuration, lineWriter, LOGGER, type Logger, traceIdOf } from '@signalbox/platform';
import type { RequestContext } from '../request/index.js';

/** One line and one measurement per request. */
@Injectable()
export class AccessLog {
  private readonly write: (fields: string) => void;

  constructor(@Inject(LOGGER) logger: Logger) {
    this.write = lineWriter(logger, 'request');
  }

  note({ request, label, startedAt, key, traceparent }: RequestContext, status: number): void {
    const ms = performance.now() - startedAt;
    httpDuration.observe({ endpoint: label, status }, ms / 1000);
    const trace = traceparent === null ? '' : `,"trace_id":"${traceIdOf(traceparent)}"`;
    // Route, request id and method contain no characters that need escaping.
    this.write(
      `"method":"${request.method}","route":"${label}","status":${status},"ms":${ms.toFixed(2)},` +
        `"request_id":"${request.id}","company_id":${key?.companyId ?? null},"key_id":${key?.keyId ?? null}${trace}`,
    );
  }
}
