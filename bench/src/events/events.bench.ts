import { setTimeout as sleep } from 'node:timers/promises';
import { AUDIT_STREAM, EventStream, STREAM } from '@signalbox/bus';
import type { Platform } from '@signalbox/testing';
import type { Bench, Sizes } from '../bench.js';
import { Child } from '../measure/child.js';
import { cpuSeconds } from '../measure/cpu.js';
import { reportAlone, type Verdict } from '../measure/report.js';
import { progress } from '../measure/rounds.js';
import { productEnv } from '../work/engines.js';
import { type Backlog, type ConsumeAnswer, publishBacklog } from './backlog.js';

const GOAL = { id: 'P19', unit: 'events/s', better: 'more', must: 5000, aim: 10_000 } as const;
const COMPANIES = 4;
/** It fails what hangs; a busy machine takes minutes. */
const LIMIT_MS = 600_000;

const record = (companyId: number, at: number): object => ({
  company_id: companyId,
  actor_key_id: 1,
  action: 'update',
  resource_type: 'application',
  resource_id: String(at),
  before: { name: `application ${at}`, description: 'An application of the usual size', status: 'ENABLED' },
  after: { name: `application ${at}`, description: 'The same application, described differently', status: 'ENABLED' },
  request_id: `request ${at}`,
  date_created: at,
});

/** A consumed backlog: events per second and the errors. */
interface Round {
  rate: number;
  errors: number;
}

async function intoNothing(platform: Platform, child: Child, backlog: Backlog): Promise<Round> {
  const stream = new EventStream(platform.connection);
  await stream.ensure(STREAM);
  await publishBacklog(stream, backlog, (companyId) => `events.${companyId}.bench.counted`, record);
  const { events } = backlog;
  const pids = [child.pid, platform.servers.postgres.pid, platform.servers.nats.pid];
  const before = cpuSeconds(pids);
  const { seconds, errors } = await child.ask<ConsumeAnswer>({ events });
  progress(`${Math.round(((cpuSeconds(pids) - before) / events) * 1e6)} CPU µs for each event, start included`);
  return { rate: events / seconds, errors };
}

/** The audit log's process is suspended while the backlog is published, so that only consuming is measured. */
async function intoAudit(platform: Platform, backlog: Backlog): Promise<Round> {
  const { events } = backlog;
  const count = async (): Promise<number> => {
    const { rows } = await platform.sql.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM accounts.audit_log',
    );
    return rows[0]?.count ?? 0;
  };
  const stream = new EventStream(platform.connection);
  await stream.ensure(AUDIT_STREAM);
  const rows = await count();
  const pid = platform.processes.get('accounts')?.pid ?? 0;
  process.kill(pid, 'SIGSTOP');
  await publishBacklog(stream, backlog, (companyId) => `audit.${companyId}`, record);
  const pids = [pid, platform.servers.postgres.pid, platform.servers.nats.pid];
  const [before, began] = [cpuSeconds(pids), performance.now()];
  process.kill(pid, 'SIGCONT');
  let found = rows;
  while (found < rows + events && performance.now() - began < LIMIT_MS) {
    await sleep(20);
    found = await count();
  }
  const seconds = (performance.now() - began) / 1000;
  progress(`${Math.round(((cpuSeconds(pids) - before) / events) * 1e6)} CPU µs for each event`);
  return { rate: events / seconds, errors: Math.abs(rows + events - found) };
}

async function repeat(what: string, rounds: number, run: () => Promise<Round>): Promise<Verdict> {
  const samples: Round[] = [];
  for (let round = 0; round < rounds; round++) samples.push(await run());
  const verdict = reportAlone(
    { ...GOAL, what },
    samples.map(({ rate }) => rate),
  );
  return { ...verdict, errors: samples.reduce((sum, { errors }) => sum + errors, 0) };
}

async function measure(platform: Platform, { tiny, rounds }: Sizes, child: Child): Promise<Verdict[]> {
  const companies: number[] = [];
  while (companies.length < COMPANIES) companies.push((await platform.company()).companyId);
  const verdicts: Verdict[] = [];
  for (const perMessage of [1, 200]) {
    const backlog = { events: tiny ? 400 : 40_000, perMessage, companies };
    const form = perMessage === 1 ? 'one in a message' : `${perMessage} in a message`;
    verdicts.push(
      await repeat(`events into an empty effect, ${form}`, rounds, () => intoNothing(platform, child, backlog)),
      await repeat(`entries into the audit log, ${form}`, rounds, () => intoAudit(platform, backlog)),
    );
  }
  return verdicts;
}

/** P19: how fast one process consumes a backlog of events. */
export const consume: Bench = {
  name: 'consume',
  description: 'P19: lifecycle events consumed into nothing and into the audit log, by one process',
  run: (sizes) =>
    sizes.setups.onPlatform({ services: ['accounts'], durable: true }, async (platform) => {
      const child = await Child.start(
        new URL('../product/event-consumer.js', import.meta.url),
        productEnv(platform.servers),
      );
      try {
        return await measure(platform, sizes, child);
      } finally {
        await child.stop();
      }
    }),
};
