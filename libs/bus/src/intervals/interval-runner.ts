import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { LOGGER, type Logger } from '@signalbox/platform';
import { type DecoratedMethod, DecoratedMethodScanner } from '../decorated-methods.js';
import { EVERY, type IntervalMetadata } from './every.js';

/** What fails when a process starts, before those that it asks are there, does not wait for a day. */
const AFTER_FAILURE_MS = 600_000;

class IntervalJob {
  private running: Promise<void> | undefined;
  private readonly timer: NodeJS.Timeout;
  private soon: NodeJS.Timeout | undefined;

  constructor(
    private readonly job: DecoratedMethod<IntervalMetadata>,
    private readonly stop: AbortSignal,
    private readonly logger: Logger,
  ) {
    this.timer = setInterval(() => this.pass(), job.metadata.everyMs);
    this.pass();
  }

  async end(): Promise<void> {
    clearInterval(this.timer);
    clearTimeout(this.soon);
    await this.running;
  }

  private pass(): void {
    this.running ??= this.run().finally(() => (this.running = undefined));
  }

  private async run(): Promise<void> {
    const { everyMs, failed } = this.job.metadata;
    clearTimeout(this.soon);
    try {
      await this.job.run(this.stop);
    } catch (error) {
      this.logger.warn({ error }, failed);
      if (everyMs > AFTER_FAILURE_MS && !this.stop.aborted) this.soon = setTimeout(() => this.pass(), AFTER_FAILURE_MS);
    }
  }
}

/**
 * Runs every method with `@Every` until the calls in flight of a stopping process have ended; what these methods use
 * may be closed in `beforeApplicationShutdown`.
 */
@Injectable()
export class IntervalRunner implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly stop = new AbortController();
  private jobs: IntervalJob[] = [];

  constructor(
    private readonly methods: DecoratedMethodScanner,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const { signal } = this.stop;
    this.jobs = this.methods.of<IntervalMetadata>(EVERY).map((job) => new IntervalJob(job, signal, this.logger));
  }

  async onModuleDestroy(): Promise<void> {
    this.stop.abort();
    await Promise.all(this.jobs.map((job) => job.end()));
  }
}
