import { setTimeout as sleep } from 'node:timers/promises';
import { monitors } from '@signalbox/contracts';
import type { Platform } from '@signalbox/testing';
import { type ChatServer, type ChatSetup } from '../chat/setup.js';
import { cpuSecondsByName } from '../measure/cpu.js';
import { progress } from '../measure/rounds.js';
import { APPLICATION, createIntent, JUDGED_MS, watch } from './watched-intent.js';

const CONNECTIONS = 32;

/** Sources from a second before the activation of a monitor are judged as well, for the clocks of processes differ. */
const TOLERANCE_MS = 1100;
const INTENT = 'watched';

/** Calls at a rate, or as fast as they are answered. */
export interface MonitoredLoad {
  seconds: number;
  rate?: number;
  /** Whether the monitor is active, so that each call gets a run. */
  monitored: boolean;
}

/** The processes of the platform, by name. */
function processesOf(platform: Platform): Map<string, number> {
  const pids = new Map([...platform.processes].map(([name, { pid }]) => [name, pid]));
  return pids.set('postgres', platform.servers.postgres.pid).set('nats', platform.servers.nats.pid);
}

/** Calls of an intent of the product, whose monitor is active or not. */
export class MonitoredCalls {
  private readonly pids: Map<string, number>;
  private sent = 0;
  private monitoredCalls = 0;
  private active = true;

  private constructor(
    private readonly setup: ChatSetup,
    private readonly monitor_id: number,
  ) {
    this.pids = processesOf(setup.platform);
  }

  static async of(setup: ChatSetup): Promise<MonitoredCalls> {
    const { platform, company } = setup;
    const intent = await createIntent(platform, company.companyId, INTENT);
    return new MonitoredCalls(setup, (await watch(platform, company.companyId, intent)).id);
  }

  /**
   * Loads the intent. A round ends when every call is recorded and judged: no round pays for the one before, and the
   * CPU of a call includes its judgement.
   */
  async load({ seconds, rate, monitored }: MonitoredLoad) {
    await this.setActive(monitored);
    const product = this.setup.product();
    const headers = { ...product.headers, 'x-service-application': APPLICATION, 'x-service-intent': INTENT };
    const side: ChatServer = { ...product, headers };
    const before = this.cpu();
    const load = { connections: CONNECTIONS, seconds, ...(rate === undefined ? {} : { rate }) };
    const took = await this.setup.load(side, load);
    this.sent += took.requests;
    if (monitored) this.monitoredCalls += took.requests;
    const began = performance.now();
    const missing = (await this.missingRecords()) + (await this.missingRuns());
    const lag = performance.now() - began;
    const after = this.cpu();
    const micros = [...after].map(
      ([name, spent]) => [name, ((spent - (before.get(name) ?? 0)) / took.requests) * 1e6] as const,
    );
    const byProcess = micros.map(([name, spent]) => `${name} ${Math.round(spent)}`).join(', ');
    const name = nameOf(monitored);
    progress(`${name}: ${Math.round(took.requests / took.seconds)}/s, ${Math.round(lag)} ms behind; µs ${byProcess}`);
    const cpuMicros = micros.reduce((sum, [, spent]) => sum + spent, 0);
    return { ...took, cpuMicros, errors: took.errors + missing };
  }

  private async setActive(active: boolean): Promise<void> {
    if (active === this.active) return;
    this.active = active;
    const { activateMonitor, pauseMonitor } = monitors.endpoints;
    const { platform, company } = this.setup;
    if (active) await sleep(TOLERANCE_MS);
    const path = { monitor_id: this.monitor_id };
    await platform.bus.call(active ? activateMonitor : pauseMonitor, path, platform.caller(company.companyId));
  }

  private cpu(): Map<string, number> {
    return cpuSecondsByName(this.pids);
  }

  private async missingRecords(): Promise<number> {
    return Math.max(0, this.sent - (await this.setup.recorded(this.sent)));
  }

  private async missingRuns(): Promise<number> {
    const limit = performance.now() + JUDGED_MS;
    for (;;) {
      const { rows } = await this.setup.platform.sql.query<{ count: number }>(
        'SELECT count(*)::int AS count FROM monitors.monitor_runs WHERE company_id = $1 AND outcome IS NOT NULL',
        [this.setup.company.companyId],
      );
      const missing = this.monitoredCalls - (rows[0]?.count ?? 0);
      if (missing <= 0 || performance.now() > limit) return Math.abs(missing);
      await sleep(100);
    }
  }
}

/** The name of a side. */
export const nameOf = (monitored: boolean): string => (monitored ? 'monitors at 100 %' : 'monitors off');
