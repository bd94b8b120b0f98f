import { freePort } from '@signalbox/servers';
import type { Platform } from '@signalbox/testing';
import type { Bench, Sizes } from '../bench.js';
import { withGenerator } from '../load/generators.js';
import type { Load, LoadResult } from '../load/protocol.js';
import { Child } from '../measure/child.js';
import { cpuSeconds } from '../measure/cpu.js';
import { report } from '../measure/report.js';
import { alternate, type Sample, type Side } from '../measure/rounds.js';

const CONNECTIONS = 32;
/** Source ids are UUIDs that end with the twelve digits of the generator's id. */
const FIRST = 100_000_000_000;

const OVERRIDE = 'FROM "test-runs".response_subs r WHERE r.company_id = t.company_id AND r.id = t.response_sub_id';
const FIELDS = `t.id, t.test_set_id, t.position, t.source_type, t.source_id, t.flatten_variant, t.baseline_hash, t.meta,
  t.date_created, t.date_updated, t.input, t.expected_output,
  (SELECT row_to_json(f) FROM (SELECT r.id, r.expected_output, r.note, r.author_key_id, r.date_created, r.date_updated ${OVERRIDE}) f) AS response_sub,
  COALESCE((SELECT r.expected_output ${OVERRIDE}), t.expected_output) AS effective_expected_output`;

interface Seeded {
  key: string;
  companyId: number;
  setId: number;
}

/** A set whose items were imported before. */
async function seed(platform: Platform, items: number): Promise<Seeded> {
  const { companyId, key } = await platform.company();
  const { rows } = await platform.sql.query<{ id: number }>(
    `INSERT INTO "test-runs".test_sets (company_id, name, item_count, next_position) VALUES ($1, 'golden', $2, $2) RETURNING id`,
    [companyId, items],
  );
  const setId = rows[0]?.id ?? 0;
  await platform.sql.query(
    `INSERT INTO "test-runs".test_set_items (company_id, test_set_id, position, source_type, source_id, input, expected_output, body_bytes)
     SELECT $1::int, $2::int, n, 'REQUEST', '00000000-0000-4000-8000-' || (${FIRST}::bigint + n),
       json_build_object('messages', json_build_array(json_build_object('role', 'user', 'content', 'Where is order ' || n || '?'))),
       json_build_object('message', json_build_object('role', 'assistant', 'content', 'Order ' || n || ' is on its way.')), 200
     FROM generate_series(0, $3::int - 1) n`,
    [companyId, setId, items],
  );
  await platform.sql.query('VACUUM ANALYZE "test-runs".test_set_items');
  return { key, companyId, setId };
}

async function compare(platform: Platform, generator: Child, { tiny, rounds }: Sizes) {
  const items = tiny ? 100 : 10_000;
  const { key, companyId, setId } = await seed(platform, items);
  const path = `/api/v1/unified-test-sets/${setId}/import-request`;
  const port = await freePort();
  const base = await Child.start(new URL('../bases/known-item.js', import.meta.url), {
    DATABASE_URL: platform.servers.postgres.url,
    TABLE: '"test-runs".test_set_items',
    FIELDS,
    COMPANY: String(companyId),
    TEST_SET: String(setId),
    PREFIX: path,
    PORT: String(port),
  });
  const servers = [platform.servers.postgres.pid, platform.servers.nats.pid];
  const side = (name: string, at: number, headers: Record<string, string>, pids: number[]): Side => {
    const load: Load = {
      port: at,
      headers,
      prefix: path,
      body: '{"request_id":"00000000-0000-4000-8000-{id}"}',
      first: FIRST,
      count: items,
      connections: tiny ? 4 : CONNECTIONS,
      seconds: tiny ? 0.1 : 3,
      status: 200,
      expect: '"source_id":"00000000-0000-4000-8000-{id}"',
    };
    return {
      name,
      round: async (): Promise<Sample> => {
        const before = cpuSeconds(pids);
        const { requests, seconds, errors } = await generator.ask<LoadResult>(load);
        return { value: requests / seconds, cpuMicros: ((cpuSeconds(pids) - before) / requests) * 1e6, errors };
      },
    };
  };
  try {
    const services = [...platform.processes.values()].map(({ pid }) => pid);
    const a = side('one process, one statement', port, {}, [base.pid, ...servers]);
    const b = side('signalbox', platform.port, { 'x-service-api-key': key }, [...services, ...servers]);
    const what = `import a request again, ${CONNECTIONS} connections`;
    const goal = { id: 'P16', what, unit: 'requests/s', better: 'more', must: 0.6, aim: 0.85 } as const;
    return [report(goal, a, b, await alternate(a, b, rounds))];
  } finally {
    await base.stop();
  }
}

/** P16: an import that has happened before, against the least that it needs. */
export const importAgain: Bench = {
  name: 'import-again',
  description: 'P16: import a request into a test set again, 32 connections, against one Fastify process',
  run: (sizes) =>
    sizes.setups.onPlatform({ services: ['accounts', 'traffic', 'test-runs', 'gateway'], durable: true }, (platform) =>
      withGenerator(sizes.setups, (generator) => compare(platform, generator, sizes)),
    ),
};
