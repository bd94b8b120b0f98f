import type { DynamicModule } from '@nestjs/common';
import type { GracefulStop, Logger } from '@signalbox/platform';
import { microserviceOf } from '../microservice.js';
import { InProcessServer } from './in-process-server.js';

export interface InProcessService {
  server: InProcessServer;
  close(): Promise<void>;
}

export async function serveInProcess(
  module: DynamicModule,
  logger: Logger,
  stop?: GracefulStop,
): Promise<InProcessService> {
  const app = await microserviceOf(module, logger, InProcessServer, stop);
  return { server: app.get(InProcessServer), close: () => app.close() };
}
