import { companies } from '@signalbox/contracts';
import { eventually, Platform } from '@signalbox/testing';
import { direct, when, World } from './world.js';

const DAY_MS = 86_400_000;
const RUNS = 150_000;
const OLD = 12_000;

let platform: Platform;
let world: World;
beforeAll(async () => {
  platform = await Platform.start({ services: ['accounts', 'traffic', 'agents', 'monitors'] });
  world = await World.make(platform);
}, 120_000);
afterAll(() => platform.stop());

/** How many rows of a table statements have read since the last reset, in the table or in an index. */
async function rowsRead(table: string): Promise<number> {
  const { rows } = await platform.sql.query<{ n: number }>(
    `SELECT (t.seq_tup_read + (SELECT sum(i.idx_tup_read) FROM pg_stat_user_indexes i WHERE i.relid = t.relid))::int AS n
     FROM pg_stat_user_tables t WHERE t.relid = $1::regclass`,
    [table],
  );
  return rows[0]?.n ?? 0;
}

/** Runs of a monitor: the oldest ones sixty days old, a few faults within the last hour. */
async function seed(monitorId: number): Promise<void> {
  await platform.sql.query(
    `INSERT INTO monitors.monitor_runs (company_id, monitor_id, monitor_target_id, monitor_version_id, version_number, source_type,
       source_id, runner_type, shadow, batch, attempts, outcome, runner_duration_ms, cost, date_created)
     SELECT r.company_id, r.monitor_id, r.monitor_target_id, r.monitor_version_id, r.version_number, r.source_type,
       'seeded ' || n, r.runner_type, false, r.batch, 1, 'PASS', 1, 0.001,
       r.date_created - CASE WHEN n <= ${OLD} THEN 60 * ${DAY_MS}::bigint + n ELSE 2 * ${DAY_MS}::bigint + n END
     FROM monitors.monitor_runs r, generate_series(1, ${RUNS}) n WHERE r.company_id = $1 AND r.monitor_id = $2 LIMIT ${RUNS}`,
    [world.companyId, monitorId],
  );
  await platform.sql.query(
    `INSERT INTO monitors.monitor_costs (company_id, day, monitor_id, cost)
     SELECT $1, (extract(epoch from date_trunc('day', now() AT TIME ZONE 'UTC')) * 1000)::bigint - n * ${DAY_MS}::bigint, $2, 1
     FROM generate_series(0, 90) n`,
    [world.companyId, monitorId],
  );
  await platform.sql.query('VACUUM (ANALYZE) monitors.monitor_runs');
}

it('the jobs that run at intervals read what they need of the runs and no more', async () => {
  const settings = { retention_days: { monitor_runs: 30 } };
  await platform.bus.call(companies.endpoints.updateCompany, { settings }, world.caller());
  const intent = await world.intent();
  const said = when('response.choices[0].message.content', 'contains', 'stupid');
  const rule = { metric: 'fault_rate' as const, threshold: 0.1, window_ms: 3_600_000, min_runs: 1 };
  const alert_rules = [rule, { ...rule, window_ms: 30 * DAY_MS }];
  const { id } = await world.watching('intent', intent.id, { config: direct(said), alert_rules });
  await world.request(intent, 'stupid');
  await world.judged(id, 1);
  const alerts = async (status: string): Promise<number> => {
    const { rows } = await platform.sql.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM monitors.monitor_alerts WHERE company_id = $1 AND status = $2',
      [world.companyId, status],
    );
    return rows[0]?.n ?? 0;
  };
  await eventually('both rules are met', async () => (await alerts('open')) === 2);
  await platform.service('monitors').kill('SIGTERM');
  await seed(id);
  await platform.sql.query('SELECT pg_stat_reset()');
  // Retention and the evaluation of open alerts run when the process starts.
  await platform.service('monitors').start();
  const left = async (): Promise<number> => {
    const { rows } = await platform.sql.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM monitors.monitor_costs WHERE company_id = $1`,
      [world.companyId],
    );
    return rows[0]?.n ?? 0;
  };
  await eventually('the old days are gone', async () => (await left()) < 90, 60_000);
  // The seeded runs are in the window of the second rule alone.
  await eventually('the second rule is not met any more', async () => (await alerts('resolved')) === 1, 60_000);
  // A connection reports what it has read when it ends.
  await platform.service('monitors').kill('SIGTERM');
  const read = await rowsRead('monitors.monitor_runs');
  expect(read).toBeGreaterThanOrEqual(OLD);
  // Each deleted run is found in two indexes.
  expect(read).toBeLessThan(OLD * 3);
  const { rows } = await platform.sql.query<{ n: number; oldest: number }>(
    `SELECT count(*)::int AS n, min(date_created)::float8 AS oldest FROM monitors.monitor_runs WHERE company_id = $1`,
    [world.companyId],
  );
  expect(rows[0]?.n).toBe(RUNS - OLD + 1);
  expect(rows[0]?.oldest).toBeGreaterThan(Date.now() - 30 * DAY_MS);
  expect(await left()).toBeLessThanOrEqual(32);
  await platform.service('monitors').start();
}, 120_000);
