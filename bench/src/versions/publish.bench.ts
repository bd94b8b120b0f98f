import { emptyMonitorConfig, monitors } from '@signalbox/contracts';
import { freePort } from '@signalbox/servers';
import { eventually, type Platform, serviceEnv } from '@signalbox/testing';
import type { Bench, Sizes } from '../bench.js';
import { withGenerator } from '../load/generators.js';
import type { Load, LoadResult } from '../load/protocol.js';
import { Child } from '../measure/child.js';
import { cpuSeconds } from '../measure/cpu.js';
import { report } from '../measure/report.js';
import { alternate, type Sample, type Side } from '../measure/rounds.js';

const CONNECTIONS = 32;

/** Monitors that can be published, with ids that follow one another; more than connections, so that few calls wait for a lock. */
async function seed(platform: Platform, companyId: number, count: number): Promise<number> {
  const condition = { kind: 'condition', source: 'json', path: 'response.choices', operator: 'is_empty' } as const;
  const config = {
    ...emptyMonitorConfig(),
    runner: { resource_type: 'direct' as const, input: {} },
    result: {
      fault: { kind: 'group' as const, op: 'AND' as const, children: [condition] },
      default_outcome: 'PASS' as const,
    },
  };
  const ids: number[] = [];
  for (let n = 0; n < count; n++) {
    const body = { name: `monitor ${n}`, description: '', config, meta: {}, alert_rules: [] };
    ids.push((await platform.bus.call(monitors.endpoints.createMonitor, body, platform.caller(companyId))).id);
  }
  const [first = 0] = ids;
  if (ids.some((id, index) => id !== first + index)) throw new Error('the ids of the monitors have gaps');
  return first;
}

/** Waits until the audit log has so many publishes: no round pays for the events of the one before. */
const audited = (platform: Platform, companyId: number, count: number): Promise<boolean> =>
  eventually('every publish is audited', async () => {
    const { rows } = await platform.sql.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM accounts.audit_log WHERE company_id = $1 AND action = 'publish'`,
      [companyId],
    );
    return (rows[0]?.count ?? 0) >= count;
  });

async function compare(platform: Platform, generator: Child, { tiny, rounds }: Sizes) {
  const count = tiny ? 8 : 400;
  const { companyId, key } = await platform.company();
  const first = await seed(platform, companyId, count);
  const port = await freePort();
  const { DATABASE_URL = '', WORKER_DATABASE_URL = '' } = serviceEnv(platform.servers, 'monitors');
  const base = await Child.start(new URL('../bases/version-publisher.js', import.meta.url), {
    DATABASE_URL,
    WORKER_DATABASE_URL,
    COMPANY: String(companyId),
    PORT: String(port),
  });
  const services = [...platform.processes.values()].map(({ pid }) => pid);
  let published = 0;
  // The services relay and record the events of both sides.
  const pids = [platform.servers.postgres.pid, platform.servers.nats.pid, ...services];
  const side = (name: string, at: number, headers: Record<string, string>, measured: number[]): Side => {
    const load: Load = {
      port: at,
      headers,
      prefix: '/api/v1/monitors/{id}/versions',
      body: '{"increment":"patch","version_notes":"measured"}',
      first,
      count,
      connections: tiny ? 4 : CONNECTIONS,
      seconds: tiny ? 0.1 : 3,
      status: 200,
      expect: '"monitor_id":{id},',
    };
    return {
      name,
      round: async (): Promise<Sample> => {
        const before = cpuSeconds(measured);
        const { requests, seconds, errors } = await generator.ask<LoadResult>(load);
        published += requests;
        await audited(platform, companyId, published);
        return { value: requests / seconds, cpuMicros: ((cpuSeconds(measured) - before) / requests) * 1e6, errors };
      },
    };
  };
  try {
    const a = side('one process, the same statements', port, {}, [base.pid, ...pids]);
    const b = side('signalbox', platform.port, { 'x-service-api-key': key }, pids);
    const what = `publish a version of a monitor, ${CONNECTIONS} connections`;
    const goal = { id: 'P16', what, unit: 'requests/s', better: 'more', must: 0.6, aim: 0.85 } as const;
    return [report(goal, a, b, await alternate(a, b, rounds))];
  } finally {
    await base.stop();
  }
}

/** P16: a transaction of the platform, against one process that runs its statements. */
export const publishVersion: Bench = {
  name: 'publish-version',
  description:
    'P16: publish versions of monitors, 32 connections, against one Fastify process with the same statements',
  run: (sizes) =>
    sizes.setups.onPlatform(
      { services: ['accounts', 'traffic', 'agents', 'monitors', 'gateway'], durable: true },
      (platform) => withGenerator(sizes.setups, (generator) => compare(platform, generator, sizes)),
    ),
};
