import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { AsyncMicroserviceOptions } from '@nestjs/microservices';
import { loggerModule, nestLogger, runService, type Settings } from '@signalbox/platform';
import { BusServer, PassErrorsOn } from './server.js';

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
    async start(logger) {
      const root: DynamicModule = { ...module, imports: [loggerModule(logger), ...(module.imports ?? [])] };
      const app = await NestFactory.createMicroservice<AsyncMicroserviceOptions>(root, {
        logger: nestLogger(logger),
        abortOnError: false,
        inject: [BusServer],
        useFactory: (server: BusServer) => ({ strategy: server }),
      });
      app.useGlobalFilters(new PassErrorsOn());
      await app.listen();
      return app;
    },
  });
}
