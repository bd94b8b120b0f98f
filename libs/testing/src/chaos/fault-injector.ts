import { findProcesses } from '@signalbox/servers';
import type { Platform } from '../platform/platform.js';
import { ROOT } from '../platform/service-process.js';

/** The label of a service process, or a server. */
export type Victim = string;

/** A process in which the runner executes scripts, and which it replaces. */
export const SCRIPT_PROCESS = 'script process';
const SCRIPT_PROGRAM = `${ROOT}apps/runner/dist/src/child/main.js`;

export interface InjectedFault {
  victim: Victim;
  at: number;
  downMs: number;
}

/** An outgoing connection of another process may occupy the port for a while. */
const RESTART_MS = 60_000;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export class FaultInjector {
  readonly injected: InjectedFault[] = [];
  /** Processes that ended without an injected fault. */
  readonly crashes: string[] = [];
  private current: Victim | null = null;
  private restarting = false;

  constructor(
    private readonly platform: Platform,
    private readonly random: () => number,
  ) {}

  async kill(victim: Victim): Promise<void> {
    const at = Date.now();
    const { servers } = this.platform;
    this.current = victim;
    if (victim === 'nats') {
      process.kill(servers.nats.pid, 'SIGKILL');
      await servers.nats.exited;
      await servers.restartNats({ forget: false });
    } else if (victim === 'postgres') {
      process.kill(servers.postgres.pid, 'SIGKILL');
      await servers.postgres.exited;
      await servers.restartPostgres('immediate');
    } else if (victim === SCRIPT_PROCESS) {
      this.killScript();
    } else {
      const service = this.platform.service(victim);
      await service.kill('SIGKILL');
      await this.restart(victim);
    }
    this.current = null;
    this.injected.push({ victim, at, downMs: Date.now() - at });
  }

  async restartCrashed(): Promise<void> {
    if (this.restarting) return;
    this.restarting = true;
    try {
      for (const [label, service] of this.platform.processes) {
        if (label === this.current || service.running) continue;
        this.crashes.push(`${label} ended without an injected fault`);
        await this.restart(label);
      }
    } finally {
      this.restarting = false;
    }
  }

  async deleteBusStore(): Promise<void> {
    const at = Date.now();
    await this.platform.servers.restartNats({ forget: true });
    this.injected.push({ victim: 'bus store', at, downMs: Date.now() - at });
  }

  /** Like a long pause of the machine. */
  async freeze(victim: Victim, ms: number): Promise<void> {
    const at = Date.now();
    const service = this.platform.service(victim);
    await service.kill('SIGSTOP');
    await sleep(ms);
    await service.kill('SIGCONT');
    this.injected.push({ victim: `${victim} frozen`, at, downMs: ms });
  }

  async killRandom(victims: readonly Victim[], count: number, pauseMs: [from: number, to: number]): Promise<void> {
    for (let at = 0; at < count; at++) {
      await sleep(pauseMs[0] + this.random() * (pauseMs[1] - pauseMs[0]));
      await this.kill(victims[Math.floor(this.random() * victims.length)] ?? 'nats');
    }
  }

  /** Script processes of this platform have folders below that of the test. */
  private killScript(): void {
    const { dir } = this.platform.servers;
    const found = findProcesses(
      ({ command, directory }) =>
        command[0] === process.execPath && command.includes(SCRIPT_PROGRAM) && directory?.startsWith(dir) === true,
    );
    const chosen = found[Math.floor(this.random() * found.length)];
    if (chosen) process.kill(chosen.pid, 'SIGKILL');
  }

  /** A service that starts while its server is down exits; a supervisor retries. */
  private async restart(victim: Victim): Promise<void> {
    const until = Date.now() + RESTART_MS;
    for (;;) {
      try {
        return await this.platform.service(victim).start();
      } catch (error) {
        if (Date.now() > until) throw error;
        await sleep(300);
      }
    }
  }
}
