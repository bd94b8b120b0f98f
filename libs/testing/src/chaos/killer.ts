import type { Platform } from '../platform/platform.js';

/** Anything that can be killed: a label of a service process, or a server. */
export type Victim = string;

/** A blow struck, with the time it took until the victim was up again. */
export interface Fault {
  victim: Victim;
  at: number;
  downMs: number;
}

/** A port may be in use by somebody's outgoing connection for a while. */
const RESTART_MS = 60_000;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Kills processes of a platform without warning and, as a supervisor does, starts them again. */
export class Killer {
  readonly blows: Fault[] = [];
  /** Processes that ended without a blow. */
  readonly deaths: string[] = [];
  private struck: Victim | null = null;
  private raising = false;

  constructor(
    private readonly platform: Platform,
    private readonly random: () => number,
  ) {}

  /** Kills one victim with SIGKILL and starts it again. */
  async kill(victim: Victim): Promise<void> {
    const at = Date.now();
    const { servers } = this.platform;
    this.struck = victim;
    if (victim === 'nats') {
      process.kill(servers.nats.pid, 'SIGKILL');
      await servers.nats.exited;
      await servers.restartNats({ forget: false });
    } else if (victim === 'postgres') {
      process.kill(servers.postgres.pid, 'SIGKILL');
      await servers.postgres.exited;
      await servers.restartPostgres('immediate');
    } else {
      const service = this.platform.service(victim);
      await service.kill('SIGKILL');
      await this.startAgain(victim);
    }
    this.struck = null;
    this.blows.push({ victim, at, downMs: Date.now() - at });
  }

  /** Starts services again that have ended by themselves, as a supervisor does; nobody is to have a reason to. */
  async raise(): Promise<void> {
    if (this.raising) return;
    this.raising = true;
    try {
      for (const [label, service] of this.platform.processes) {
        if (label === this.struck || service.running) continue;
        this.deaths.push(`${label} ended by itself`);
        await this.startAgain(label);
      }
    } finally {
      this.raising = false;
    }
  }

  /** Deletes everything the bus has kept. */
  async forgetBus(): Promise<void> {
    const at = Date.now();
    await this.platform.servers.restartNats({ forget: true });
    this.blows.push({ victim: 'bus store', at, downMs: Date.now() - at });
  }

  /** Stops a process for a while without its knowing, as a long pause of its machine would. */
  async freeze(victim: Victim, ms: number): Promise<void> {
    const at = Date.now();
    const service = this.platform.service(victim);
    await service.kill('SIGSTOP');
    await sleep(ms);
    await service.kill('SIGCONT');
    this.blows.push({ victim: `${victim} frozen`, at, downMs: ms });
  }

  /** Kills `count` victims drawn at random, with pauses drawn at random between them. */
  async spree(victims: readonly Victim[], count: number, pauseMs: [from: number, to: number]): Promise<void> {
    for (let at = 0; at < count; at++) {
      await sleep(pauseMs[0] + this.random() * (pauseMs[1] - pauseMs[0]));
      await this.kill(victims[Math.floor(this.random() * victims.length)] ?? 'nats');
    }
  }

  /** A service that starts while its server is away ends; the supervisor tries again. */
  private async startAgain(victim: Victim): Promise<void> {
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
