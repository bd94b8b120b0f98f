import { Controller, Get } from '@nestjs/common';
import { JsonReply } from '../replies/index.js';
import { Public } from '../request/index.js';
import { Readiness } from './readiness.js';

export const HEALTH_PATHS = ['/healthz', '/readyz'];

@Controller()
@Public()
export class HealthController {
  constructor(private readonly readiness: Readiness) {}

  @Get('/healthz')
  health(): JsonReply {
    return JsonReply.of({ status: 'ok' });
  }

  @Get('/readyz')
  async ready(): Promise<JsonReply> {
    const report = await this.readiness.report();
    return JsonReply.of(report, report.status === 'ok' ? 200 : 503);
  }
}
