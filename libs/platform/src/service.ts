import 'reflect-metadata';
import type { Server } from 'node:http';
import type { DynamicModule, Provider, Type } from '@nestjs/common';
import { shutdownGraceMs, type Settings } from './config.js';
import { GracefulStop } from './graceful-stop.js';
import { healthServer, type OwnHealth } from './health-server.js';
import { createLogger, type Logger } from './log.js';
import { buildInfo } from './metrics.js';
import { LOGGER } from './ports.js';
import { releaseOf } from './process-report.js';
import { startTracing, TRACING_SETTINGS, tracing } from './tracing/index.js';
import { disablePretenuring } from './disable-pretenuring.js';

/** The settings of every process, independent of its contracts. */
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

/** The options of a process. */
export interface ServiceProcess {
  name: string;
  settings: Settings<(typeof PROCESS_SETTINGS)[number]>;
  /** Creates and starts the application; it serves when this resolves. */
  start(logger: Logger, stop: GracefulStop): Promise<{ close(): Promise<void> }>;
}

/** Time after the grace in which leases are given back and connections are closed, before the process exits anyway. */
const CLOSING_MS = 15_000;
/** Limit of the last flush: a log that cannot be written must not delay the exit. */
const FLUSH_MS = 1000;

/** The logger and the stop of the process as providers of every module. */
export function loggerModule(logger: Logger, stop = new GracefulStop()): DynamicModule {
  // A dynamic module needs no decorator, and so commands load this library without Nest.
  class LoggerModule {}
  const providers: Provider[] = [
    { provide: LOGGER, useValue: logger },
    { provide: GracefulStop, useValue: stop },
  ];
  return { module: LoggerModule as Type, global: true, providers, exports: providers };
}

/** One run of a service: from its first line of code to its exit code. */
class ServiceRun {
  private readonly stop: GracefulStop;
  private readonly logger: Logger;
  private app: { close(): Promise<void> } | undefined;
  private health: Server | undefined;

  constructor(private readonly service: ServiceProcess) {
    this.stop = new GracefulStop(shutdownGraceMs(service.settings));
    this.logger = createLogger(service.name, service.settings.LOG_LEVEL, service.settings.LOG_FORMAT);
  }

  /** Runs first: a process that is PID 1 ignores signals without a handler. */
  listenToSignals(): void {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      const earlier = process.listeners(signal);
      // Before those are removed: a signal that came while the program was loaded is lost when none is left.
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
    // No call has been accepted before the start is complete, and work it has begun survives a crash.
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
 * Runs a service until SIGINT or SIGTERM. A stop closes the application: it accepts nothing new, calls in flight have
 * the grace period of the settings, each part then closes in its own hook, and the process exits 15 s later in any
 * case. A start that fails exits with code 1. A parent with an IPC channel receives `ready`.
 */
export async function runService(service: ServiceProcess): Promise<void> {
  const run = new ServiceRun(service);
  run.listenToSignals();
  disablePretenuring();
  await run.start();
}
