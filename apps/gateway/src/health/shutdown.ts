import { type BeforeApplicationShutdown, Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { GracefulStop, lastReadinessProbe, LOGGER, type Logger } from '@signalbox/platform';
import type { Server } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { EventStreams } from '../streams/index.js';
import { Draining } from '../replies/index.js';
import { Readiness } from './readiness.js';
import { IdleConnections } from './idle-connections.js';

const PROBED_MS = 30_000;
const REMOVAL_MS = 5000;

/**
 * Order of the stop: a load balancer that probed the health port or `/readyz` gets five seconds to redirect traffic,
 * while every response closes its connection; then event streams end, because clients resume them elsewhere; other
 * calls in flight last until they end or the grace period is over.
 */
@Injectable()
export class Shutdown implements OnModuleInit, BeforeApplicationShutdown {
  private idle: IdleConnections | undefined;

  constructor(
    private readonly draining: Draining,
    private readonly readiness: Readiness,
    private readonly streams: EventStreams,
    private readonly host: HttpAdapterHost,
    private readonly stop: GracefulStop,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.idle = new IdleConnections(this.server);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.draining.started = true;
    const { server } = this;
    this.stop.begin();
    this.stop.graceOver.addEventListener('abort', () => {
      this.logger.warn('calls in flight exceed the grace period and are cut off');
      server.closeAllConnections();
    });
    if (Date.now() - Math.max(this.readiness.askedAt, lastReadinessProbe()) < PROBED_MS) await pause(REMOVAL_MS);
    this.streams.endAll();
    this.idle?.closeAll();
  }

  private get server(): Server {
    return this.host.httpAdapter.getHttpServer() as Server;
  }
}
