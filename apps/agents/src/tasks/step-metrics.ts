import { DURATION_BUCKETS, registry } from '@signalbox/platform';
import { Histogram } from 'prom-client';

export const taskSteps = new Histogram({
  name: 'signalbox_agent_step_seconds',
  help: 'Duration of the steps of agent tasks in seconds',
  labelNames: ['kind', 'status'] as const,
  buckets: DURATION_BUCKETS,
  registers: [registry],
});
