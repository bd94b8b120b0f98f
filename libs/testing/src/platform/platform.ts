import { readFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type BusClient, BusConnection } from '@signalbox/bus';
import { type Caller, operator, SCOPES } from '@signalbox/contracts';
import { createLogger } from '@signalbox/platform';
import { freePort, serviceCredentials } from '@signalbox/servers';
import { Pool } from 'pg';
import { DocumentedBus } from './documented-bus.js';
import { eventFaults } from './event-faults.js';
import { completionsEnv, serviceEnv } from './service-environment.js';
import { ServiceProcess } from './service-process.js';
import { startServers, type TestServers } from './servers.js';
import { TEST_MASTER_KEY } from './test-master-key.js';

/** What a test platform consists of. */
export interface PlatformOptions {
  /** Services to run; `gateway` opens HTTP on a free port. */
  services: string[];
  /** Settings of all services, over the defaults. */
  env?: Record<string, string>;
  /** fsync on, for tests that pull the plug. */
  durable?: boolean;
}

/** A company with its admin key. */
export interface TestCompany {
  companyId: number;
  key: string;
}

/** A running platform with real servers and one process per service. */
export class Platform {
  readonly processes = new Map<string, ServiceProcess>();

  private constructor(
    readonly servers: TestServers,
    readonly connection: BusConnection,
    /** Calls endpoints over the bus, as the gateway and other services do. */
    readonly bus: BusClient,
    /** The superuser's pool: sees every row of every company. */
    readonly sql: Pool,
    readonly port: number,
    private readonly env: Record<string, string>,
  ) {}

  static async start({ services, env = {}, durable = false }: PlatformOptions): Promise<Platform> {
    const servers = await startServers({ fsync: durable, migrated: true });
    const port = await freePort();
    const natsUrl = new URL(servers.nats.url);
    natsUrl.username = 'tester';
    natsUrl.password = serviceCredentials(TEST_MASTER_KEY, 'tester').natsPassword;
    const connection = await BusConnection.open(natsUrl.href, 'tester', createLogger('tester', 'silent'));
    const sql = new Pool({ connectionString: servers.postgres.url, max: 4 });
    sql.on('error', () => undefined);
    const settings = services.includes('traffic') ? { ...completionsEnv(servers), ...env } : env;
    const platform = new Platform(servers, connection, new DocumentedBus(connection, true), sql, port, settings);
    const started = await Promise.allSettled(services.map((name) => platform.startService(name)));
    const failed = started.find((each) => each.status === 'rejected');
    if (!failed) return platform;
    // What did start would outlive the test.
    await platform.stop();
    throw failed.reason;
  }

  /** Base URL of the gateway, `/api/v1` included. */
  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}/api/v1`;
  }

  /** Starts a service; under another label it is a further process of the same service. */
  async startService(name: string, label = name, more: Record<string, string> = {}): Promise<ServiceProcess> {
    const environment = serviceEnv(this.servers, name, this.port, { ...this.env, ...more });
    const process = new ServiceProcess(name, environment, join(this.servers.dir, 'logs', `${label}.log`));
    this.processes.set(label, process);
    await process.start();
    return process;
  }

  /** The process of a service, or of the label it was started under. */
  service(name: string): ServiceProcess {
    const process = this.processes.get(name);
    if (!process) throw new Error(`${name} does not run`);
    return process;
  }

  /** What a service has logged so far. */
  logOf(name: string): Promise<string> {
    return readFile(join(this.servers.dir, 'logs', `${name}.log`), 'utf8');
  }

  /** Makes a company with an admin key of all scopes. */
  async company(name = `company ${randomUUID().slice(0, 8)}`): Promise<TestCompany> {
    const made = await this.bus.call(operator.endpoints.createCompany, { name }, this.caller(1));
    return { companyId: made.company_id, key: made.api_key ?? '' };
  }

  /** A caller of a company with all scopes. */
  caller(companyId: number, change: Partial<Caller> = {}): Caller {
    return {
      companyId,
      keyId: null,
      scopes: SCOPES,
      requestId: randomUUID(),
      deadline: Date.now() + 15_000,
      ...change,
    };
  }

  /** Stops everything; fails when a service has published an event that is not as declared. */
  async stop(): Promise<void> {
    const faults = await this.eventFaults();
    await this.connection.close();
    await this.sql.end();
    await Promise.all([...this.processes.values()].map((process) => process.kill('SIGKILL')));
    await this.servers.stop();
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

/** Waits until `check` answers something truthy; fails with `what` after the limit. */
export async function eventually<T>(
  what: string,
  check: () => Promise<T> | T,
  limitMs = 30_000,
): Promise<NonNullable<T>> {
  const end = Date.now() + limitMs;
  for (;;) {
    const found = await check();
    if (found) return found;
    if (Date.now() > end) throw new Error(`never happened: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
