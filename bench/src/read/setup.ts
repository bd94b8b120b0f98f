import { freePort, serviceCredentials } from '@signalbox/servers';
import { type Platform, type PlatformOptions, TEST_MASTER_KEY, timeScale } from '@signalbox/testing';
import { Child } from '../measure/child.js';
import { cpuSeconds } from '../measure/cpu.js';
import type { Sample, Side } from '../measure/rounds.js';
import { takeGenerator } from '../load/generators.js';
import type { Load, LoadResult } from '../load/protocol.js';
import type { Setups } from '../setups.js';
import type { Resource } from './resource.js';

/** One server over HTTP, and the processes whose CPU counts for it. */
interface Server {
  name: string;
  port: number;
  headers: Record<string, string>;
  pids: number[];
}

/** The load of each side in a round. */
export interface RoundLoad {
  connections: number;
  seconds: number;
  value: (result: LoadResult) => number;
}

const SAMPLED = 20;
/** The label of a gateway that preloads a module. */
const PRELOADED = 'gateway with a module';

/** The whole product, a company with rows, the load generator, and the base it is compared with. */
export class ReadSetup {
  private readonly children: Child[] = [];
  private first = 0;
  /** The port of the gateway that is measured. */
  private port: number;

  private constructor(
    private readonly setups: Setups,
    private readonly platform: Platform,
    private readonly generator: Child,
    private readonly company: { companyId: number; key: string },
    private readonly resource: Resource,
    private readonly rows: number,
  ) {
    this.port = platform.port;
  }

  /**
   * Gateway, accounts and the service of the resource, each in its process, every commit synced. A gateway that preloads
   * a module is started here.
   */
  static needs({ service, preload }: Resource): PlatformOptions {
    return { services: ['accounts', service, ...(preload ? [] : ['gateway'])], durable: true };
  }

  static async on(platform: Platform, setups: Setups, resource: Resource, rows: number): Promise<ReadSetup> {
    const generator = await takeGenerator(setups);
    const setup = new ReadSetup(setups, platform, generator, await platform.company(), resource, rows);
    await setup.seed();
    if (resource.preload) await setup.startGateway(resource.preload);
    return setup;
  }

  private async startGateway(preload: string): Promise<void> {
    this.port = await freePort();
    const env = { PORT: String(this.port), NODE_OPTIONS: `--import=${preload}` };
    await this.platform.startService('gateway', PRELOADED, env);
  }

  private async seed(): Promise<void> {
    const { table, seed } = this.resource;
    for (const text of seed) await this.platform.sql.query(text, [this.company.companyId, this.rows]);
    await this.platform.sql.query(`VACUUM ANALYZE ${table}`);
    const { rows } = await this.platform.sql.query<{ id: number }>(
      `SELECT min(id) AS id FROM ${table} WHERE company_id = $1`,
      [this.company.companyId],
    );
    this.first = rows[0]?.id ?? 0;
  }

  /** The product: key checked, company scoped, envelope, logged, measured. */
  product(): Server {
    const { platform } = this;
    const services = [...platform.processes.values()].map(({ pid }) => pid);
    const headers = { 'x-service-api-key': this.company.key };
    return { name: 'signalbox', port: this.port, headers, pids: [...services, ...this.serverPids()] };
  }

  /** Starts processes of a base; the last of them listens. */
  async base(name: string, modules: string[], env: Record<string, string> = {}): Promise<Server> {
    const port = await freePort();
    const nats = new URL(this.platform.servers.nats.url);
    nats.username = 'tester';
    nats.password = serviceCredentials(TEST_MASTER_KEY, 'tester').natsPassword;
    const started: Child[] = [];
    for (const module of modules) {
      const child = await Child.start(new URL(`../bases/${module}.js`, import.meta.url), {
        DATABASE_URL: this.platform.servers.postgres.url,
        NATS_URL: nats.href,
        TABLE: this.resource.table,
        FIELDS: this.resource.fields,
        COMPANY: String(this.company.companyId),
        PREFIX: `/api/v1${this.resource.path}`,
        PORT: String(port),
        ...env,
      });
      started.push(child);
      this.children.push(child);
    }
    return { name, port, headers: {}, pids: [...started.map(({ pid }) => pid), ...this.serverPids()] };
  }

  private serverPids(): number[] {
    return [this.platform.servers.postgres.pid, this.platform.servers.nats.pid];
  }

  /** Throws unless both sides reply to a sample of ids with the same status and the same JSON. */
  async requireEqualReplies(one: Server, other: Server): Promise<void> {
    for (let at = 0; at < SAMPLED; at++) {
      const id = this.first + Math.floor((at * this.rows) / SAMPLED);
      const [a, b] = await Promise.all([one, other].map((server) => this.get(server, id)));
      if (a !== b) throw new Error(`${one.name} and ${other.name} disagree on ${id}:\n${a}\n${b}`);
    }
  }

  private async get(server: Server, id: number): Promise<string> {
    const { status, text } = await this.fetched(server, id);
    return `${status} ${JSON.stringify(inOrder(JSON.parse(text)))}`;
  }

  /** The reply of a server for the first id. */
  async replyText(server: Server): Promise<string> {
    return (await this.fetched(server, this.first)).text;
  }

  private async fetched({ port, headers }: Server, id: number): Promise<{ status: number; text: string }> {
    const url = `http://127.0.0.1:${port}/api/v1${this.resource.path}${id}`;
    const reply = await fetch(url, { headers, signal: AbortSignal.timeout(Math.ceil(5000 * timeScale())) });
    return { status: reply.status, text: await reply.text() };
  }

  /** A side of a comparison: each round loads the server for some seconds. */
  side({ name, port, headers, pids }: Server, { connections, seconds, value }: RoundLoad): Side {
    const { path, expect } = this.resource;
    const load: Load = {
      port,
      headers,
      prefix: `/api/v1${path}`,
      first: this.first,
      count: this.rows,
      connections,
      seconds,
      status: 200,
      expect,
    };
    return {
      name,
      round: async (): Promise<Sample> => {
        const before = cpuSeconds(pids);
        const result = await this.generator.ask<LoadResult>(load);
        const cpuMicros = ((cpuSeconds(pids) - before) / result.requests) * 1e6;
        return { value: value(result), cpuMicros, errors: result.errors, extraValue: result.p99 / result.p50 };
      },
    };
  }

  async stop(): Promise<void> {
    await this.platform.processes.get(PRELOADED)?.kill();
    this.platform.processes.delete(PRELOADED);
    await Promise.all([...this.children.map((child) => child.stop()), this.setups.release(this.generator)]);
  }
}

/** The same JSON with the keys of every object in one order. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, child]) => [key, inOrder(child)]));
}
