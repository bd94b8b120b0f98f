import type { ServerProblem } from '@signalbox/servers';

interface ProbedProcess {
  stop(graceMs: number): Promise<void>;
  problem?(): Promise<ServerProblem | null>;
}

const INTERVAL_MS = 3000;
/** Consecutive failures before a restart: a briefly busy server stays. */
const FAILURES = 4;
const FIRST_PAUSE_MS = 10_000;
const STOP_MS = 3000;
const LONGEST_PAUSE_MS = 300_000;

/**
 * Probes a running part and stops it, so that it is restarted, when it runs but does not work. Each restart that has
 * not helped doubles the pause before the next one.
 */
export class HealthWatch {
  private timer: NodeJS.Timeout | undefined;
  private failures = 0;
  private pauseMs = FIRST_PAUSE_MS;
  private restartedAt = -Infinity;

  constructor(
    private readonly name: string,
    private readonly log: (text: string) => void,
  ) {}

  watch(running: ProbedProcess): void {
    this.stop();
    this.failures = 0;
    if (running.problem) this.probeLater(running);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private probeLater(running: ProbedProcess): void {
    const timer = setTimeout(() => {
      void this.probeOnce(running).then((stopped) => {
        if (!stopped && this.timer === timer) this.probeLater(running);
      });
    }, INTERVAL_MS);
    this.timer = timer;
    timer.unref();
  }

  /** True when the process was stopped. */
  private async probeOnce(running: ProbedProcess): Promise<boolean> {
    const problem = await running.problem?.().catch(() => null);
    if (!problem) {
      if (this.failures >= FAILURES) this.log(`${this.name} works again`);
      this.failures = 0;
      this.pauseMs = FIRST_PAUSE_MS;
      return false;
    }
    if (++this.failures === FAILURES) this.log(`${this.name} runs but does not work: ${problem.text}`);
    if (this.failures < FAILURES || !problem.restartHelps || !this.mayRestart()) return false;
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
