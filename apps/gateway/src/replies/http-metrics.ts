import { DURATION_BUCKETS, registry } from '@signalbox/platform';
import { Histogram } from 'prom-client';

export const httpDuration = new Histogram({
  name: 'signalbox_http_request_seconds',
  help: 'Duration of HTTP requests in seconds',
  labelNames: ['endpoint', 'status'] as const,
  buckets: DURATION_BUCKETS,
  registers: [registry],
});
