import type { Trouble } from '@signalbox/servers';

/** What is watched: a process that can be tried and stopped. */
interface Watched {
  stop(patienceMs: number): Promise<void>;
  trouble?(): Promise<Trouble | null>;
}

const INTERVAL_MS = 3000;
/** A server that is busy for a moment is left alone. */
const FAILURES = 4;
const FIRST_PAUSE_MS = 10_000;
const STOP_MS = 3000;
const LONGEST_PAUSE_MS = 300_000;

/**
 * Uses a running part again and again and stops it, so that it is started again, when it runs but does not work. Each
 * restart that has not helped doubles the pause before the next one.
 */
export class HealthWatch {
  private timer: NodeJS.Timeout | undefined;
  private failures = 0;
  private pauseMs = FIRST_PAUSE_MS;
  private restartedAt = -Infinity;

  constructor(
    private readonly name: string,
    private readonly say: (text: string) => void,
  ) {}

  /** Watches a process until `stop` or until it is restarted. */
  watch(running: Watched): void {
    this.stop();
    this.failures = 0;
    if (running.trouble) this.again(running);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private again(running: Watched): void {
    const timer = setTimeout(() => {
      void this.look(running).then((stopped) => {
        if (!stopped && this.timer === timer) this.again(running);
      });
    }, INTERVAL_MS);
    this.timer = timer;
    timer.unref();
  }

  /** Looks once; true when the process was stopped. */
  private async look(running: Watched): Promise<boolean> {
    const trouble = await running.trouble?.().catch(() => null);
    if (!trouble) {
      if (this.failures >= FAILURES) this.say(`${this.name} works again`);
      this.failures = 0;
      this.pauseMs = FIRST_PAUSE_MS;
      return false;
    }
    if (++this.failures === FAILURES) this.say(`${this.name} runs but does not work: ${trouble.text}`);
    if (this.failures < FAILURES || !trouble.restartHelps || !this.mayRestart()) return false;
    await running.stop(STOP_MS);
    return true;
  }

  private mayRestart(): boolean {
    if (Date.now() - this.restartedAt < this.pauseMs) return false;
    if (this.restartedAt !== -Infinity) this.pauseMs = Math.min(this.pauseMs * 2, LONGEST_PAUSE_MS);
    this.restartedAt = Date.now();
    return true;
  }
}
