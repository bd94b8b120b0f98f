import { models, providers } from '@signalbox/contracts';
import { eventually, type Platform, type PlatformOptions } from '@signalbox/testing';
import type { Load, LoadResult, StreamLoad, StreamResult } from '../load/protocol.js';
import { takeGenerator, takeStreamGenerator } from '../load/generators.js';
import type { Child } from '../measure/child.js';
import { ChildServer } from '../measure/child-server.js';
import { cpuSeconds } from '../measure/cpu.js';
import type { Setups } from '../setups.js';
import { CALL, EXPECT, STREAM_TOKENS, STREAMED_CALL } from './chat-call.js';

/** A server of chat calls over HTTP, and the processes whose CPU counts for it. */
export interface ChatServer {
  name: string;
  port: number;
  path: string;
  headers: Record<string, string>;
  pids: number[];
}

const MAX_CALLS = 100_000;
const KEY = 'sk-the-key-of-the-provider';

/** The product with a company and a model, the upstream of that model, and the base it is compared with. */
export class ChatSetup {
  /** Every commit is synced to disk. */
  static readonly NEEDS: PlatformOptions = {
    services: ['accounts', 'traffic', 'gateway'],
    env: { EGRESS_ALLOW: '127.0.0.1/32' },
    durable: true,
  };

  private readonly taken: (Child | ChildServer)[] = [];

  private constructor(
    private readonly setups: Setups,
    readonly platform: Platform,
    readonly company: { companyId: number; key: string },
    /** The upstream itself, without a proxy. */
    readonly direct: ChatServer,
    readonly generators: { load: Child; streams: Child },
  ) {}

  /** The latency of the upstream's replies. */
  static async on(platform: Platform, setups: Setups, latencyMs: number): Promise<ChatSetup> {
    const upstream = await setups.take(`upstream of ${latencyMs} ms`, () =>
      ChildServer.start(new URL('./upstream.js', import.meta.url), { LATENCY: String(latencyMs) }),
    );
    const generators = { load: await takeGenerator(setups), streams: await takeStreamGenerator(setups) };
    const company = await platform.company();
    const { port } = upstream;
    const direct: ChatServer = { name: 'upstream', port, path: '/v1/chat/completions', headers: {}, pids: [] };
    const setup = new ChatSetup(setups, platform, company, direct, generators);
    setup.taken.push(upstream, generators.load, generators.streams);
    await setup.addModel();
    return setup;
  }

  private async addModel(): Promise<void> {
    const { platform, direct, company } = this;
    const caller = platform.caller(company.companyId);
    const provider = await platform.bus.call(
      providers.endpoints.createProvider,
      {
        provider_name: 'bench',
        kind: 'openai_compatible',
        base_url: `http://127.0.0.1:${direct.port}/v1`,
        api_key: KEY,
        default_headers: {},
        timeout_ms: 60_000,
        status: 'ENABLED',
      },
      caller,
    );
    await platform.bus.call(
      models.endpoints.createModel,
      {
        model_name: 'bench-model',
        provider_id: provider.id,
        supports_tools: true,
        supports_json_schema: true,
        trainable: false,
        status: 'ENABLED',
        input_price_per_mtok: 1,
        output_price_per_mtok: 2,
      },
      caller,
    );
  }

  /** The product: key checked, company scoped, every call in its log. */
  product(): ChatServer {
    const { platform, company } = this;
    const services = [...platform.processes.values()].map(({ pid }) => pid);
    return {
      name: 'signalbox',
      port: platform.port,
      path: '/api/v1/chat/completions',
      headers: { 'x-service-api-key': company.key },
      pids: [...services, platform.servers.postgres.pid, platform.servers.nats.pid],
    };
  }

  async portkey(): Promise<ChatServer> {
    const headers = {
      'x-portkey-provider': 'openai',
      'x-portkey-custom-host': `http://127.0.0.1:${this.direct.port}/v1`,
      authorization: `Bearer ${KEY}`,
    };
    return this.base('portkey', 'portkey', headers);
  }

  proxy(): Promise<ChatServer> {
    return this.base('fastify + undici', 'bare-proxy', {});
  }

  private async base(name: string, module: string, headers: Record<string, string>): Promise<ChatServer> {
    const upstream = `http://127.0.0.1:${this.direct.port}`;
    const server = await this.setups.take(`${module} of ${upstream}`, () =>
      ChildServer.start(new URL(`../bases/${module}.js`, import.meta.url), { UPSTREAM: upstream }),
    );
    this.taken.push(server);
    return { name, port: server.port, path: '/v1/chat/completions', headers, pids: [server.pid] };
  }

  /** Loads a side for some seconds; the CPU is that of the side, not of the upstream. */
  async load(side: ChatServer, { connections, seconds, rate }: Pick<Load, 'connections' | 'seconds' | 'rate'>) {
    const load: Load = {
      port: side.port,
      prefix: side.path,
      headers: side.headers,
      body: CALL,
      first: 1,
      count: MAX_CALLS,
      connections,
      seconds,
      ...(rate === undefined ? {} : { rate }),
      status: 200,
      expect: EXPECT,
    };
    const before = cpuSeconds(side.pids);
    const result = await this.generators.load.ask<LoadResult>(load);
    return { ...result, cpu: () => ((cpuSeconds(side.pids) - before) / result.requests) * 1e6 };
  }

  async streams(side: ChatServer, { connections, streams }: Pick<StreamLoad, 'connections' | 'streams'>) {
    const load: StreamLoad = {
      port: side.port,
      path: side.path,
      headers: side.headers,
      body: STREAMED_CALL,
      connections,
      streams,
      tokens: STREAM_TOKENS,
    };
    const before = cpuSeconds(side.pids);
    const result = await this.generators.streams.ask<StreamResult>(load);
    return { ...result, cpuMicros: ((cpuSeconds(side.pids) - before) / result.requests) * 1e6 };
  }

  /** Resolves when the log of the product holds so many calls; returns how many it holds then. */
  async recorded(count: number): Promise<number> {
    const held = async (): Promise<number> => {
      const { rows } = await this.platform.sql.query<{ count: number }>(
        'SELECT count(*)::int AS count FROM traffic.requests WHERE company_id = $1',
        [this.company.companyId],
      );
      return rows[0]?.count ?? 0;
    };
    await eventually('all calls are in the log', async () => (await held()) >= count, 30_000).catch(() => undefined);
    return held();
  }

  async stop(): Promise<void> {
    await Promise.all(this.taken.map((each) => this.setups.release(each)));
  }
}
