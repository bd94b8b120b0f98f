import { registry } from '@signalbox/platform';
import { Gauge } from 'prom-client';

export const openStreams = new Gauge({
  name: 'signalbox_open_streams',
  help: 'Open streams of clients by kind: events, and chunks of completions and files',
  labelNames: ['kind'] as const,
  registers: [registry],
});
