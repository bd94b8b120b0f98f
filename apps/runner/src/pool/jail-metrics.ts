import { registry } from '@signalbox/platform';
import { Gauge } from 'prom-client';

export const scriptJail = new Gauge({
  name: 'signalbox_script_jail',
  help: 'The jail of child processes: 1 at the level that is in force (none, limits, user, namespaces, isolated)',
  labelNames: ['level'] as const,
  registers: [registry],
});
