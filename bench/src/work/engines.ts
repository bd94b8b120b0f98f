import { startServers, TEST_MASTER_KEY, type TestServers } from '@signalbox/testing';
import { serviceCredentials } from '@signalbox/servers';
import { Child } from '../measure/child.js';
import { cpuSeconds } from '../measure/cpu.js';
import type { Sample, Side } from '../measure/rounds.js';
import type { WorkAnswer, WorkQuestion } from './engine.js';

/** Both work engines on one Postgres that syncs every commit to disk. */
export class Engines {
  private constructor(
    private readonly servers: TestServers,
    private readonly graphile: Child,
    private readonly product: Child,
  ) {}

  static async start(): Promise<Engines> {
    const servers = await startServers({ fsync: true });
    try {
      const graphile = await Child.start(new URL('../bases/graphile-worker.js', import.meta.url), {
        DATABASE_URL: servers.postgres.url,
      });
      const product = await Child.start(new URL('../product/work-engine.js', import.meta.url), productEnv(servers));
      return new Engines(servers, graphile, product);
    } catch (error) {
      await servers.stop();
      throw error;
    }
  }

  /** One side with its work in each round and the conversion of its result into a figure. */
  side(engine: 'graphile' | 'product', question: WorkQuestion, value: (answer: WorkAnswer) => number): Side {
    const child = this[engine];
    const { postgres, nats } = this.servers;
    const pids = [child.pid, postgres.pid, ...(engine === 'product' ? [nats.pid] : [])];
    const jobs = 'flood' in question ? question.flood.jobs : question.trickle.jobs;
    return {
      name: engine === 'graphile' ? 'graphile-worker' : 'signalbox',
      async round(): Promise<Sample> {
        const before = cpuSeconds(pids);
        const answer = await child.ask<WorkAnswer>(question);
        const cpuMicros = ((cpuSeconds(pids) - before) / jobs) * 1e6;
        return { value: value(answer), cpuMicros, errors: answer.errors };
      },
    };
  }

  async stop(): Promise<void> {
    await Promise.all([this.graphile.stop(), this.product.stop()]);
    await this.servers.stop();
  }
}

/** The settings of a service of the benches, with its own schema and the bus user of tests. */
export function productEnv({ postgres, nats }: TestServers): Record<string, string> {
  const login = (text: string, user: string, password: string): string =>
    Object.assign(new URL(text), { username: user, password }).href;
  const { role, password, workerRole, workerPassword } = serviceCredentials(TEST_MASTER_KEY, 'bench');
  return {
    DATABASE_ADMIN_URL: postgres.url,
    DATABASE_URL: login(postgres.url, role, password),
    WORKER_DATABASE_URL: login(postgres.url, workerRole, workerPassword),
    NATS_URL: login(nats.url, 'tester', serviceCredentials(TEST_MASTER_KEY, 'tester').natsPassword),
    ...(process.env.PROFILE ? { PROFILE: process.env.PROFILE } : {}),
  };
}
