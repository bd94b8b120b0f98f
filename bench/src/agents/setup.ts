import type { Agent, Application } from '@signalbox/contracts';
import { eventually, type Platform, type PlatformOptions, serviceEnv } from '@signalbox/testing';
import { EXPECT, questionOf } from '../chat/chat-call.js';
import { ChatSetup } from '../chat/setup.js';
import type { Load, LoadResult } from '../load/protocol.js';
import { ChildServer } from '../measure/child-server.js';
import { cpuSecondsByName } from '../measure/cpu.js';
import type { Setups } from '../setups.js';
import { apiOf } from '../test-runs/api.js';

/** A side of the comparison, as the generator loads it. */
export interface Invoked {
  name: string;
  port: number;
  path: string;
  headers: Record<string, string>;
  /** The processes whose CPU counts for it, by name. */
  pids: ReadonlyMap<string, number>;
}

/** The load of a round and what came of it. */
export interface InvokedRound extends LoadResult {
  /** CPU microseconds of an invocation, by process. */
  cpuMicros: ReadonlyMap<string, number>;
}

const MAX_CALLS = 100_000;
const BODY = JSON.stringify({ messages: [{ role: 'user', content: questionOf('{id}') }] });

/** The product with an agent that asks its model once, and one process that does the same. */
export class AgentSetup {
  static readonly NEEDS: PlatformOptions = {
    ...ChatSetup.NEEDS,
    services: ['accounts', 'traffic', 'agents', 'gateway'],
  };

  private constructor(
    private readonly chat: ChatSetup,
    private readonly agentId: number,
    private readonly base: ChildServer,
  ) {}

  static async on(platform: Platform, setups: Setups): Promise<AgentSetup> {
    const chat = await ChatSetup.on(platform, setups, 0);
    const application = await apiOf<Application>(chat, 'POST', '/applications', { application_name: 'Bench' });
    const body = { application_id: application.id, agent_name: 'Answer', model: 'bench-model' };
    const agent = await apiOf<Agent>(chat, 'POST', '/agents', body);
    const base = await ChildServer.start(new URL('../bases/task-writer.js', import.meta.url), {
      AGENT: String(agent.id),
      COMPANY: String(chat.company.companyId),
      DATABASE_URL: serviceEnv(platform.servers, 'agents')['DATABASE_URL'] ?? '',
      UPSTREAM: `http://127.0.0.1:${chat.direct.port}`,
    });
    return new AgentSetup(chat, agent.id, base);
  }

  get product(): Invoked {
    const { platform, company } = this.chat;
    const headers = { 'x-service-api-key': company.key };
    const path = `/api/v1/agents/${this.agentId}/invoke`;
    return { name: 'signalbox', port: platform.port, path, headers, pids: this.shared() };
  }

  /** The services relay the events of both sides. */
  get oneProcess(): Invoked {
    const pids = new Map([['base', this.base.pid], ...this.shared()]);
    return { name: 'one process, the same call and rows', port: this.base.port, path: '/invoke', headers: {}, pids };
  }

  /** The model alone. */
  get model(): Invoked {
    const { port, path, headers } = this.chat.direct;
    return { name: 'model', port, path, headers, pids: new Map() };
  }

  /** Invokes for some seconds, then waits until the events of all invocations are published. */
  async load(side: Invoked, { connections, seconds }: Pick<Load, 'connections' | 'seconds'>): Promise<InvokedRound> {
    const load: Load = {
      port: side.port,
      prefix: side.path,
      headers: side.headers,
      body: BODY,
      first: 1,
      count: MAX_CALLS,
      connections,
      seconds,
      status: 200,
      expect: EXPECT,
    };
    const before = cpuSecondsByName(side.pids);
    const result = await this.chat.generators.load.ask<LoadResult>(load);
    await this.published();
    const used = [...cpuSecondsByName(side.pids)].map(
      ([name, after]) => [name, ((after - (before.get(name) ?? 0)) / result.requests) * 1e6] as const,
    );
    return { ...result, cpuMicros: new Map(used) };
  }

  /** Tasks of the company with an end. */
  async completed(): Promise<number> {
    const { platform, company } = this.chat;
    const { rows } = await platform.sql.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM agents.tasks WHERE company_id = $1 AND status = 'COMPLETED'`,
      [company.companyId],
    );
    return rows[0]?.count ?? 0;
  }

  async stop(): Promise<void> {
    await Promise.all([this.chat.stop(), this.base.stop()]);
  }

  private published(): Promise<unknown> {
    return eventually('the events are published', async () => {
      const { rows } = await this.chat.platform.sql.query('SELECT 1 FROM agents.outbox WHERE sent_at IS NULL LIMIT 1');
      return rows.length === 0;
    });
  }

  private shared(): Map<string, number> {
    const { processes, servers } = this.chat.platform;
    const services = [...processes].map(([name, { pid }]) => [name, pid] as const);
    return new Map([...services, ['postgres', servers.postgres.pid], ['nats', servers.nats.pid]]);
  }
}
