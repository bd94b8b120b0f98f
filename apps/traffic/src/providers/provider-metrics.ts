import { DURATION_BUCKETS, registry } from '@signalbox/platform';
import { Histogram } from 'prom-client';

/** Until the reply is complete, or has begun for streams; includes all attempts. */
export const providerDuration = new Histogram({
  name: 'signalbox_provider_seconds',
  help: 'Duration of calls of model providers in seconds by kind of provider and outcome: ok or the code of the failure',
  labelNames: ['kind', 'call', 'outcome'] as const,
  buckets: DURATION_BUCKETS,
  registers: [registry],
});
