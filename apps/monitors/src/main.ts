import { serve } from '@signalbox/bus';
import { PROCESS_SETTINGS, readSettings } from '@signalbox/platform';
import { MonitorsServiceModule } from './monitors.module.js';

const settings = readSettings([...PROCESS_SETTINGS, 'NATS_URL', 'DATABASE_URL', 'WORKER_DATABASE_URL']);
await serve('monitors', MonitorsServiceModule.with(settings), settings);
