import 'reflect-metadata';
import { createServer, type Server } from 'node:http';
import { type DynamicModule, Module, type Provider, type Type } from '@nestjs/common';
import { createLogger, type Logger } from './log.js';
import { registry } from './metrics.js';
import { LOGGER } from './ports.js';
import { keepObjectsYoung } from './young-objects.js';

/** Everything a process needs to be started, stopped and, when it owns tables, migrated. */
export interface ServiceProcess {
  name: string;
  logLevel: string;
  /** Port of `/healthz`, `/readyz` and `/metrics`; 0 = none. */
  healthPort?: number;
  /** Creates and starts the application; it serves when this resolves. */
  start(logger: Logger): Promise<{ close(): Promise<void> }>;
}

const HARD_STOP_MS = 25_000;

/** The logger as a provider of every module of the process. */
export function loggerModule(logger: Logger): DynamicModule {
  class LoggerModule {}
  Module({})(LoggerModule);
  const provider: Provider = { provide: LOGGER, useValue: logger };
  return { module: LoggerModule as Type, global: true, providers: [provider], exports: [provider] };
}

function healthServer(port: number, ready: () => boolean): Server {
  const server = createServer((request, response) => {
    const reply = (status: number, body: string, type = 'application/json'): void => {
      response.writeHead(status, { 'content-type': type });
      response.end(body);
    };
    if (request.url === '/healthz') reply(200, '{"status":"ok"}');
    else if (request.url === '/readyz') reply(ready() ? 200 : 503, `{"status":"${ready() ? 'ok' : 'draining'}"}`);
    else if (request.url === '/metrics')
      registry.metrics().then(
        (text) => reply(200, text, registry.contentType),
        () => reply(500, ''),
      );
    else reply(404, '{"error":{"status":404,"message":"not found"}}');
  });
  return server.listen(port);
}

/**
 * Runs a service until SIGINT or SIGTERM. Shutdown closes the application (each part drains in its own hook) and the
 * process exits within 25 s whatever happens. A parent with an IPC channel is told `ready`.
 */
export async function runService(service: ServiceProcess): Promise<void> {
  keepObjectsYoung();
  const logger = createLogger(service.name, service.logLevel);
  let stopping = false;
  process.on('unhandledRejection', (error) => logger.error({ error }, 'unhandled rejection'));
  process.on('uncaughtException', (error) => {
    logger.fatal({ error }, 'uncaught exception');
    logger.flush(() => process.exit(1));
  });
  const app = await service.start(logger);
  const health = service.healthPort ? healthServer(service.healthPort, () => !stopping) : undefined;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), HARD_STOP_MS).unref();
    logger.info({ signal }, 'stopping');
    await app.close().catch((error: unknown) => logger.error({ error }, 'close failed'));
    health?.close();
    logger.flush(() => process.exit(0));
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(signal));
  // A parent that died leaves nobody to stop us.
  process.on('disconnect', () => void stop('disconnect'));
  logger.info('ready');
  process.send?.('ready');
}
