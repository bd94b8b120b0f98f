import { DURATION_BUCKETS, registry } from '@signalbox/platform';
import { Counter, Gauge, Histogram } from 'prom-client';

export const scriptExecutions = new Counter({
  name: 'signalbox_script_executions_total',
  help: 'Executions of scripts by language and outcome: completed, failed, sandbox, timed_out, lost',
  labelNames: ['language', 'outcome'] as const,
  registers: [registry],
});

export const scriptWait = new Histogram({
  name: 'signalbox_script_wait_seconds',
  help: 'Time that executions of scripts waited for a child process, in seconds',
  labelNames: ['kind'] as const,
  buckets: DURATION_BUCKETS,
  registers: [registry],
});

export const scriptChildren = new Gauge({
  name: 'signalbox_script_children',
  help: 'Child processes by kind and state (idle, busy), and executions that wait for one (waiting)',
  labelNames: ['kind', 'state'] as const,
  registers: [registry],
});
