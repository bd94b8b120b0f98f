import type { DynamicModule } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { AsyncMicroserviceOptions } from '@nestjs/microservices';
import { loggerModule, type Logger, nestLogger } from '@signalbox/platform';
import { NearServer } from './near-server.js';
import { PassErrorsOn } from './server.js';

/** What a module serves within this process, until it is closed. */
export interface NearService {
  server: NearServer;
  close(): Promise<void>;
}

/** Serves a module to the callers in this process. */
export async function serveNear(module: DynamicModule, logger: Logger): Promise<NearService> {
  const root: DynamicModule = { ...module, imports: [loggerModule(logger), ...(module.imports ?? [])] };
  const app = await NestFactory.createMicroservice<AsyncMicroserviceOptions>(root, {
    logger: nestLogger(logger),
    abortOnError: false,
    inject: [NearServer],
    useFactory: (server: NearServer) => ({ strategy: server }),
  });
  app.useGlobalFilters(new PassErrorsOn());
  await app.listen();
  return { server: app.get(NearServer), close: () => app.close() };
}
