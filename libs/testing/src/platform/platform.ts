import { readFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { type BusClient, BusConnection } from '@signalbox/bus';
import { withBusLogin } from '@signalbox/bus/addresses';
import { type Caller, operator, SCOPES } from '@signalbox/contracts';
import { createLogger, slowdown } from '@signalbox/platform';
import { freePort, serviceCredentials } from '@signalbox/servers';
import { Pool } from 'pg';
import { ApiClient } from './api-client.js';
import { DocumentedBus } from './documented-bus.js';
import { eventFaults } from './event-faults.js';
import { Installation, sharedInstallation } from './installation.js';
import { completionsEnv } from './service-environment.js';
import type { ServiceProcess } from './service-process.js';
import { startServers, type TestServers } from './servers.js';
import { TEST_MASTER_KEY } from './test-master-key.js';

export interface PlatformOptions {
  /** `gateway` opens HTTP on a free port. */
  services: string[];
  env?: Record<string, string>;
  /** fsync on, for tests of power loss. */
  durable?: boolean;
  postgres?: Record<string, string>;
  /**
   * The gateway serves completions although traffic is started later; by default when traffic is among the services.
   */
  withCompletions?: boolean;
  cluster?: number;
  /** Running servers, which end with the platform; new ones by default. */
  servers?: TestServers;
}

export interface TestCompany {
  companyId: number;
  key: string;
}

export class Platform {
  private constructor(
    private readonly installation: Installation,
    readonly bus: BusClient,
    readonly connection: BusConnection,
    /** The superuser's: sees every row of every company. */
    readonly sql: Pool,
    private readonly release: () => Promise<void>,
  ) {}

  /** For a spec with other settings or one that counts rows of all companies; ends with `stop`. */
  static async start({
    services,
    env = {},
    durable = false,
    postgres = {},
    cluster = 1,
    ...given
  }: PlatformOptions): Promise<Platform> {
    const servers = given.servers ?? (await startServers({ fsync: durable, migrated: true, postgres, cluster }));
    const completions = given.withCompletions || services.includes('traffic') ? completionsEnv(servers) : {};
    const installation = new Installation(servers, await freePort(), { ...completions, ...env });
    const platform = await Platform.on(installation, () => installation.stop());
    const started = await Promise.allSettled(services.map((name) => installation.startService(name)));
    const failed = started.find((each) => each.status === 'rejected');
    if (!failed) return platform;
    // What did start would outlive the test.
    await platform.stop();
    throw failed.reason;
  }

  /**
   * Shared by the spec files of this process. A spec may stop and start services; its rows differ from those of other
   * specs by their company.
   */
  static async shared(services: string[]): Promise<Platform> {
    const installation = await sharedInstallation(services);
    return Platform.on(installation, () => installation.stopChanged());
  }

  private static async on(installation: Installation, release: () => Promise<void>): Promise<Platform> {
    const { nats, postgres } = installation.servers;
    const password = serviceCredentials(TEST_MASTER_KEY, 'tester').natsPassword;
    const natsUrl = withBusLogin(nats.url, { user: 'tester', password });
    const connection = await BusConnection.open(natsUrl, 'tester', createLogger('tester', 'silent'));
    const sql = new Pool({ connectionString: postgres.url, max: 4 });
    sql.on('error', () => undefined);
    return new Platform(installation, new DocumentedBus(connection, true), connection, sql, release);
  }

  get servers(): TestServers {
    return this.installation.servers;
  }

  get processes(): Map<string, ServiceProcess> {
    return this.installation.processes;
  }

  get port(): number {
    return this.installation.port;
  }

  /** Includes `/api/v1`. */
  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}/api/v1`;
  }

  /** The API as the holder of a key calls it, or a caller without one. */
  api(key?: string): ApiClient {
    return new ApiClient(this.baseUrl, key);
  }

  startService(name: string, label = name, more: Record<string, string> = {}, build?: string): Promise<ServiceProcess> {
    return this.installation.startService(name, label, more, build);
  }

  /** On the shared platform until the spec file ends. */
  async restartService(name: string, env: Record<string, string>): Promise<ServiceProcess> {
    await this.processes.get(name)?.kill('SIGKILL');
    return this.startService(name, name, env);
  }

  service(name: string): ServiceProcess {
    const process = this.processes.get(name);
    if (!process) throw new Error(`${name} does not run`);
    return process;
  }

  logOf(name: string): Promise<string> {
    return readFile(this.installation.logFile(name), 'utf8');
  }

  async company(name = `company ${randomUUID().slice(0, 8)}`): Promise<TestCompany> {
    const made = await this.bus.call(operator.endpoints.createCompany, { name }, this.caller(1));
    return { companyId: made.company_id, key: made.api_key ?? '' };
  }

  /** With all scopes; each call may take 15 s on a machine with free processors, however long the test takes. */
  caller(companyId: number, change: Partial<Caller> = {}): Caller {
    return {
      companyId,
      keyId: null,
      scopes: SCOPES,
      requestId: randomUUID(),
      get deadline() {
        return Math.round(Date.now() + 15_000 * timeScale());
      },
      ...change,
    };
  }

  /**
   * Throws when a service has published an event that is not as declared; services of other builds declare theirs
   * differently.
   */
  async stop({ withOtherBuilds = false } = {}): Promise<void> {
    const faults = withOtherBuilds ? [] : await this.eventFaults();
    await this.connection.close();
    await this.sql.end();
    await this.release();
    if (faults.length > 0) throw new Error(`events that are not as declared:\n${faults.join('\n')}`);
  }

  private async eventFaults(): Promise<string[]> {
    try {
      return await eventFaults(this.sql);
    } catch (error) {
      // A test may end with Postgres stopped.
      if (/^(57P|08|ECONN)/.test((error as { code?: string }).code ?? '') || /terminated/.test(String(error)))
        return [];
      throw error;
    }
  }
}

/**
 * How much slower this machine is: as measured when the run of the specs began, or as this process is slowed down now.
 */
export function timeScale(): number {
  slowdown.start();
  return Math.max(Number(process.env.TEST_TIME_SCALE ?? 1), slowdown.factor);
}

/** The pause between two checks is a twentieth of the time waited, within these limits. */
const [SHORTEST_MS, LONGEST_MS] = [25, 250];

/**
 * A limit of `eventually` only ends what hangs. Some machines take ten times as long for new memory and new processes as
 * for the work that `timeScale` measures.
 */
const HANGS = 3;

/**
 * Waits until `check` returns something truthy; throws `what` after the limit, which grows on a slow machine. Checks
 * become rarer with time, because each may be a call through several processes.
 */
export async function eventually<T>(
  what: string,
  check: () => Promise<T> | T,
  limitMs = 30_000,
): Promise<NonNullable<T>> {
  const found = await firstWithin(check, HANGS * limitMs);
  if (!found) throw new Error(`never happened: ${what}`);
  return found;
}

/** Waits until `check` returns something truthy, and no longer than the limit, which grows on a slow machine. */
export async function atMost(limitMs: number, check: () => Promise<unknown> | unknown): Promise<boolean> {
  return Boolean(await firstWithin(check, limitMs));
}

async function firstWithin<T>(check: () => Promise<T> | T, limitMs: number): Promise<T> {
  const began = Date.now();
  for (;;) {
    const found = await check();
    const waited = Date.now() - began;
    if (found || waited > limitMs * timeScale()) return found;
    const pauseMs = Math.min(LONGEST_MS, Math.max(SHORTEST_MS, waited / 20));
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
