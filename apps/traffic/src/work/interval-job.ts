import type { OnModuleDestroy, OnModuleInit } from '@nestjs/common';
import type { Logger } from '@signalbox/platform';

/** How often there is a pass, and what the log says of one that failed. */
export interface IntervalJobOptions {
  everyMs: number;
  failed: string;
}

/**
 * Goes through something when the process starts and again and again until it ends. A pass that takes longer than the
 * time between two puts the next one off; one that fails is made up for by the next.
 */
export abstract class IntervalJob implements OnModuleInit, OnModuleDestroy {
  private readonly stop = new AbortController();
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | undefined;

  protected constructor(
    protected readonly logger: Logger,
    private readonly recurrence: IntervalJobOptions,
  ) {}

  /** Goes through it once; ends soon after the process was told to stop. */
  protected abstract pass(stop: AbortSignal): Promise<void>;

  onModuleInit(): void {
    this.timer = setInterval(() => this.begin(), this.recurrence.everyMs);
    this.begin();
  }

  async onModuleDestroy(): Promise<void> {
    clearInterval(this.timer);
    this.stop.abort();
    await this.running;
  }

  private begin(): void {
    this.running ??= this.pass(this.stop.signal)
      .catch((error: unknown) => this.logger.warn({ error }, this.recurrence.failed))
      .finally(() => (this.running = undefined));
  }
}
