import type { DynamicModule } from '@nestjs/common';
import { runService, type Settings } from '@signalbox/platform';
import { microserviceOf } from './microservice.js';
import { BusServer } from './server.js';

/** Runs a service of the platform: its module, served over the bus, until the process is told to stop. */
export function serve(
  name: string,
  module: DynamicModule,
  settings: Settings<'LOG_LEVEL' | 'HEALTH_PORT'>,
): Promise<void> {
  return runService({
    name,
    logLevel: settings.LOG_LEVEL,
    healthPort: settings.HEALTH_PORT,
    start: (logger) => microserviceOf(module, logger, BusServer),
  });
}
