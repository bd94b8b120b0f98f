import type { DynamicModule, INestMicroservice, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { AsyncMicroserviceOptions, CustomTransportStrategy } from '@nestjs/microservices';
import { GracefulStop, loggerModule, type Logger, nestLogger } from '@signalbox/platform';
import { RethrowErrors } from './calls/server/rethrow-errors.js';

export async function microserviceOf(
  module: DynamicModule,
  logger: Logger,
  server: Type<CustomTransportStrategy>,
  stop = new GracefulStop(),
): Promise<INestMicroservice> {
  const root: DynamicModule = { ...module, imports: [loggerModule(logger, stop), ...(module.imports ?? [])] };
  const app = await NestFactory.createMicroservice<AsyncMicroserviceOptions>(root, {
    logger: nestLogger(logger),
    abortOnError: false,
    inject: [server],
    useFactory: (strategy: CustomTransportStrategy) => ({ strategy }),
  });
  app.useGlobalFilters(new RethrowErrors());
  await app.listen();
  return app;
}
