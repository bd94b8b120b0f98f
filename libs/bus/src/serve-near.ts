import type { DynamicModule } from '@nestjs/common';
import type { GracefulStop, Logger } from '@signalbox/platform';
import { microserviceOf } from './microservice.js';
import { NearServer } from './near-server.js';

/** What a module serves within this process, until it is closed. */
export interface NearService {
  server: NearServer;
  close(): Promise<void>;
}

/** Serves a module to the callers in this process. */
export async function serveNear(module: DynamicModule, logger: Logger, stop?: GracefulStop): Promise<NearService> {
  const app = await microserviceOf(module, logger, NearServer, stop);
  return { server: app.get(NearServer), close: () => app.close() };
}
