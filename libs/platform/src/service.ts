import 'reflect-metadata';
import type { Server } from 'node:http';
import type { DynamicModule, Provider, Type } from '@nestjs/common';
import { shutdownGraceMs, type Settings } from './config.js';
import { GracefulStop } from './graceful-stop.js';
import { healthServer, type OwnHealth } from './health-server.js';
import { createLogger, type Logger } from './log.js';
import { buildInfo, onScrape, processReady } from './metrics.js';
import { LOGGER } from './ports.js';
import { releaseOf } from './process-report.js';
import { startTracing, TRACING_SETTINGS, tracing } from './tracing/index.js';
import { disablePretenuring } from './disable-pretenuring.js';

export const PROCESS_SETTINGS = [
  'LOG_FORMAT',
  'LOG_LEVEL',
  'HEALTH_HOST',
  'HEALTH_PORT',
  'INVOKE_TIMEOUT_SECONDS',
  'SHUTDOWN_GRACE_SECONDS',
  'WORK_LEASE_SECONDS',
  ...TRACING_SETTINGS,
] as const;

export interface ServiceProcess {
  name: string;
  settings: Settings<(typeof PROCESS_SETTINGS)[number]>;
  start(logger: Logger, stop: GracefulStop): Promise<{ close(): Promise<void> }>;
}

/** Time after the grace period to return leases and close connections, before the process exits anyway. */
const CLOSING_MS = 15_000;
/** A log that cannot be written must not delay the exit. */
const FLUSH_MS = 1000;

export function loggerModule(logger: Logger, stop = new GracefulStop()): DynamicModule {
  // Without a decorator commands can load this library without Nest.
  class LoggerModule {}
  const providers: Provider[] = [
    { provide: LOGGER, useValue: logger },
    { provide: GracefulStop, useValue: stop },
  ];
  return { module: LoggerModule as Type, global: true, providers, exports: providers };
}

class ServiceRun {
  private readonly stop: GracefulStop;
  private readonly logger: Logger;
  private app: { close(): Promise<void> } | undefined;
  private health: Server | undefined;

  constructor(private readonly service: ServiceProcess) {
    this.stop = new GracefulStop(shutdownGraceMs(service.settings));
    this.logger = createLogger(service.name, service.settings.LOG_LEVEL, service.settings.LOG_FORMAT);
  }

  /** Must run first: PID 1 ignores signals without a handler. */
  listenToSignals(): void {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      const earlier = process.listeners(signal);
      // Before those are removed: with no listener left, a signal during loading would be lost.
      process.on(signal, () => void this.end(signal));
      for (const listener of earlier) process.off(signal, listener);
    }
    // A parent that died can no longer stop this process.
    process.on('disconnect', () => void this.end('disconnect'));
    // Either leaves the process in an unknown state; what it has claimed goes to another one.
    process.on('unhandledRejection', (error) => this.crash(error, 'unhandled rejection'));
    process.on('uncaughtException', (error) => this.crash(error, 'uncaught exception'));
  }

  async start(): Promise<void> {
    const { service, logger } = this;
    const { HEALTH_HOST: host, HEALTH_PORT: port } = service.settings;
    buildInfo.set({ service: service.name, release: releaseOf(), node: process.version }, 1);
    const reportReady = () => processReady.set({ service: service.name }, this.processHealth() === 'ok' ? 1 : 0);
    onScrape(() => Promise.resolve(reportReady()));
    if (port) this.health = healthServer({ host, port }, () => this.processHealth());
    try {
      await startTracing(service.name, service.settings, logger);
      this.app = await service.start(logger, this.stop);
    } catch (error) {
      if (this.stop.stopping.aborted) return;
      logger.fatal({ error }, `${service.name} could not start`);
      return this.exit(1);
    }
    if (this.stop.stopping.aborted) return;
    logger.info('ready');
    process.send?.('ready');
  }

  private processHealth(): OwnHealth {
    if (this.stop.stopping.aborted) return 'draining';
    return this.app ? 'ok' : 'starting';
  }

  private async end(signal: string): Promise<void> {
    const { logger, stop, app } = this;
    if (stop.stopping.aborted) return;
    logger.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), stop.graceMs + CLOSING_MS).unref();
    stop.begin();
    // No call was accepted before the start was complete, and work it has begun survives a crash.
    await app?.close().catch((error: unknown) => logger.error({ error }, 'close failed'));
    this.health?.close();
    await tracing?.shutdown();
    this.exit(0);
  }

  private crash(error: unknown, message: string): void {
    this.logger.fatal({ error }, message);
    this.exit(1);
  }

  private exit(code: number): void {
    setTimeout(() => process.exit(code), FLUSH_MS);
    this.logger.flush(() => process.exit(code));
  }
}

/**
 * Runs a service until SIGINT or SIGTERM. It then accepts nothing new, calls in flight have the grace period, each part
 * closes in its own hook, and the process exits 15 s later in any case. A failed start exits with code 1. A parent with
 * an IPC channel receives `ready`.
 */
export async function runService(service: ServiceProcess): Promise<void> {
  const run = new ServiceRun(service);
  run.listenToSignals();
  disablePretenuring();
  await run.start();
}
