import type { DynamicModule } from '@nestjs/common';
import { runService, type ServiceProcess } from '@signalbox/platform';
import { microserviceOf } from '../../microservice.js';
import { BusServer } from './server.js';

export function serve(name: string, module: DynamicModule, settings: ServiceProcess['settings']): Promise<void> {
  return runService({
    name,
    settings,
    start: (logger, stop) => microserviceOf(module, logger, BusServer, stop),
  });
}
