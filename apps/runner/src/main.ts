import { serve } from '@signalbox/bus';
import { PROCESS_SETTINGS, readSettings } from '@signalbox/platform';
import { RunnerModule } from './runner.module.js';

const settings = readSettings([
  ...PROCESS_SETTINGS,
  'NATS_URL',
  'SCRIPTS_AT_ONCE',
  'PYTHON_SCRIPTS_AT_ONCE',
  'SCRIPT_PROCESSES_WARM',
  'SCRIPT_CPU_SECONDS',
  'SCRIPT_MEMORY_MB',
  'SCRIPT_JAIL_MIN',
]);
await serve('runner', RunnerModule.with(settings), settings);
