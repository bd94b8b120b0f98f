import { writeFile, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Exit, ServerProblem } from '@signalbox/servers';
import { HealthWatch } from './health-watch.js';

export interface Running {
  pid: number;
  exited: Promise<Exit>;
  /** Resolves when the process has exited. */
  stop(graceMs: number): Promise<void>;
  /** Found by a real use; null when it works. */
  problem?(): Promise<ServerProblem | null>;
}

export interface Part {
  name: string;
  pidFile: string;
  /** Resolves when the part serves; aborting `signal` cancels the start. */
  launch(signal: AbortSignal): Promise<Running>;
  log(text: string): void;
}

const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 5000;
/** After a longer run the next exit is followed by an immediate restart. */
const WORKING_LIFE_MS = 3000;

export class Supervised {
  private running: Running | null = null;
  private readonly stopping = new AbortController();
  private starting: Promise<void> = Promise.resolve();
  private watching: Promise<void> = Promise.resolve();

  private readonly health: HealthWatch;

  constructor(private readonly part: Part) {
    this.health = new HealthWatch(part.name, (text) => part.log(text));
  }

  get pid(): number | null {
    return this.running?.pid ?? null;
  }

  /** Rejects when the first start fails. */
  async start(): Promise<void> {
    await this.launch();
    this.watching = this.watch();
  }

  /** A start in progress is cancelled or awaited first. */
  async stop(graceMs: number): Promise<void> {
    this.stopping.abort();
    this.health.stop();
    await this.starting.catch(() => undefined);
    await this.running?.stop(graceMs);
    await this.watching;
    await rm(this.part.pidFile, { force: true });
  }

  private launch(): Promise<void> {
    this.starting = this.startNow();
    return this.starting;
  }

  private async startNow(): Promise<void> {
    this.stopping.signal.throwIfAborted();
    this.running = await this.part.launch(this.stopping.signal);
    // Without the file a later start finds no process to take over; another process beside this one would be worse.
    await writeFile(this.part.pidFile, `${this.running.pid}\n`).catch((error: unknown) =>
      this.part.log(`${this.part.pidFile} could not be written: ${reason(error)}`),
    );
  }

  private async watch(): Promise<void> {
    let delay = FIRST_DELAY_MS;
    while (this.running !== null && !this.stopping.signal.aborted) {
      const born = Date.now();
      this.health.watch(this.running);
      const { code, signal } = await this.running.exited;
      this.health.stop();
      if (this.stopping.signal.aborted) return;
      this.running = null;
      await rm(this.part.pidFile, { force: true });
      this.part.log(`${this.part.name} ended (${signal ?? `exit code ${code}`}), restarting it`);
      delay = Date.now() - born > WORKING_LIFE_MS ? FIRST_DELAY_MS : Math.min(delay * 2, LONGEST_DELAY_MS);
      delay = await this.relaunch(delay);
    }
  }

  private async relaunch(firstDelay: number): Promise<number> {
    let delay = firstDelay;
    while (!this.stopping.signal.aborted) {
      await sleep(delay, undefined, { signal: this.stopping.signal }).catch(() => undefined);
      if (this.stopping.signal.aborted) break;
      try {
        await this.launch();
        this.part.log(`${this.part.name} runs again`);
        break;
      } catch (error) {
        if (!this.stopping.signal.aborted) this.part.log(`${this.part.name} could not be started: ${reason(error)}`);
        delay = Math.min(delay * 2, LONGEST_DELAY_MS);
      }
    }
    return delay;
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
