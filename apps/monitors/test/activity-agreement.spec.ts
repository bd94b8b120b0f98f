import { randomUUID } from 'node:crypto';
import type { MonitorOutcome } from '@signalbox/contracts';
import { createLogger } from '@signalbox/platform';
import { openDatabase, type OpenDatabase, startServers, type TestServers } from '@signalbox/testing';
import fc from 'fast-check';
import { Pool } from 'pg';
import type { Span } from '../src/activity/activity.js';
import { ActivityCounts, type CountedRuns } from '../src/activity/activity.repository.js';
import type { ActivityGroup } from '../src/activity/activity.sql.js';
import { RunCountFolds } from '../src/activity/run-count-folds.worker.js';
import { COMPLETE_RUNS, COUNT_ATTEMPTS, type OpenRuns } from '../src/judging/pending-runs.sql.js';
import { outcomeArrays } from '../src/judging/run-outcome.js';
import { CountedMonitorRuns1700000009646 } from '../src/migrations/1700000009646-counted-monitor-runs.js';
import { DELETE_OLD_RUNS } from '../src/runs/run-retention.sql.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const BEGINS = Date.parse('2026-06-01T00:00:00Z');
const OUTCOMES = ['PASS', 'WARNING', 'FAULT', 'ERROR'] as const;

let servers: TestServers;
let open: OpenDatabase;
let sql: Pool;
let counts: ActivityCounts;
let folds: RunCountFolds;
let company = 0;
beforeAll(async () => {
  servers = await startServers({ migrated: true });
  open = await openDatabase(servers, 'monitors', 8);
  sql = new Pool({ connectionString: servers.postgres.url });
  counts = new ActivityCounts(open.db);
  folds = new RunCountFolds(open.db, createLogger('monitors', 'silent'));
}, 60_000);
afterAll(async () => {
  await sql.end();
  await open.close();
  await servers.stop();
});

const fold = () => folds.fold(new AbortController().signal);

/** Times that are likely to lie on, just before and just after the edges of hours and days. */
const time = fc
  .tuple(
    fc.integer({ min: 0, max: 4 * 24 }),
    fc.oneof(fc.constantFrom(-1, 0, 1), fc.integer({ min: 2, max: HOUR - 2 })),
  )
  .map(([hour, ms]) => BEGINS + (hour < 50 ? Math.floor(hour / 10) * DAY : hour * HOUR) + ms);
const some = <T>(...values: T[]) => fc.constantFrom(...values);

const judgement = fc.record({
  outcome: some<MonitorOutcome>(...OUTCOMES),
  runner_duration_ms: fc.nat(900),
  cost: some(null, 0, 0.1, 0.2, 0.0000000003),
});
const sampled = fc.record({
  monitor: some(0, 1),
  monitor_target_id: some(7, 8),
  version_number: some('1.0.0', '1.1.0'),
  shadow: some(false, false, true),
  judged: fc.option(judgement),
  date_created: time,
});
type Sampled = typeof sampled extends fc.Arbitrary<infer T> ? T : never;
type JudgedAs = typeof judgement extends fc.Arbitrary<infer T> ? T : never;

const FAILED_RUNS: OpenRuns = `outcome = 'ERROR' AND t.attempts = u.attempts`;

/** A run as it is stored. */
interface Row {
  id: number;
  attempts: number;
  monitor_id: number;
  monitor_target_id: number;
  version_number: string;
  shadow: boolean;
  outcome: MonitorOutcome | null;
  runner_duration_ms: number | null;
  cost: number | null;
  date_created: number;
}

const INSERT = `INSERT INTO monitors.monitor_runs (company_id, monitor_id, monitor_target_id, monitor_version_id, version_number,
    source_type, source_id, runner_type, shadow, batch, outcome, runner_duration_ms, cost, date_created)
  SELECT $1, monitor_id, monitor_target_id, 1, version_number, 'request', source_id, 'direct', shadow, gen_random_uuid(),
    outcome, runner_duration_ms, cost, date_created
  FROM jsonb_to_recordset($2::jsonb) r(monitor_id int, monitor_target_id int, version_number text, source_id text, shadow boolean,
    outcome text, runner_duration_ms int, cost double precision, date_created bigint)
  ON CONFLICT DO NOTHING`;

/** A company with two monitors and what was sampled for them. */
class Watched {
  private readonly sampled: object[] = [];

  private constructor(
    readonly companyId: number,
    readonly monitors: readonly number[],
  ) {}

  static async make(): Promise<Watched> {
    const companyId = ++company;
    const { rows } = await sql.query<{ id: number }>(
      `INSERT INTO monitors.monitors (company_id, name, status, config)
       SELECT $1, 'monitor ' || n, 'PAUSED', '{}' FROM generate_series(0, 1) n RETURNING id`,
      [companyId],
    );
    return new Watched(
      companyId,
      rows.map(({ id }) => id),
    );
  }

  private query<Found extends object>(text: Parameters<typeof run>[1], values: unknown[]): Promise<Found[]> {
    return run<Found>(this.companyId, text, values);
  }

  /** The values of `INSERT` for runs that are sampled now. */
  values(given: readonly Sampled[]): [number, string] {
    const fresh = given.map(({ monitor, judged, ...rest }) => ({
      ...rest,
      ...judged,
      monitor_id: this.monitors[monitor],
      source_id: randomUUID(),
    }));
    this.sampled.push(...fresh);
    return [this.companyId, JSON.stringify(fresh)];
  }

  sample(given: readonly Sampled[]): Promise<unknown> {
    return this.query(INSERT, this.values(given));
  }

  sampleAgain(from: number, count: number): Promise<unknown> {
    return this.query(INSERT, [this.companyId, JSON.stringify(this.sampled.slice(from, from + count))]);
  }

  async judge(which: number, judged: JudgedAs, runs: OpenRuns): Promise<void> {
    const rows = await this.rows();
    const chosen = rows[which % Math.max(1, rows.length)];
    const outcome = { ...judged, failure_class: null, error_message: null, resolution_trace: '[]', runner_output: '1' };
    if (!chosen) return;
    const { id, attempts } = chosen;
    await this.query(COMPLETE_RUNS(runs), [this.companyId, [id], [attempts], ...outcomeArrays([outcome])]);
  }

  async tryAgain(which: number): Promise<void> {
    const rows = await this.rows();
    const chosen = rows[which % Math.max(1, rows.length)];
    if (chosen) await this.query(COUNT_ATTEMPTS, [this.companyId, [chosen.id], [0.1]]);
  }

  expire(before: number): Promise<unknown> {
    return this.query(DELETE_OLD_RUNS, [this.companyId, 0, before]);
  }

  rows(): Promise<Row[]> {
    return this.query(
      `SELECT id, attempts, monitor_id, monitor_target_id, version_number, shadow, outcome, runner_duration_ms, cost, date_created
       FROM monitors.monitor_runs WHERE company_id = $1 ORDER BY id`,
      [this.companyId],
    );
  }
}

function run<Found extends object>(
  companyId: number,
  text: string | typeof COUNT_ATTEMPTS,
  values: unknown[],
): Promise<Found[]> {
  return open.db.withCompany({ companyId }, (tx) => tx.query<Found>(text, values));
}

/** What can happen to runs; numbers choose among those that there are. */
const arbitraryEvent = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: some('sample' as const), runs: fc.array(sampled, { maxLength: 6 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: some('again' as const), from: fc.nat(20), count: fc.nat(9) }) },
  { weight: 3, arbitrary: fc.record({ kind: some('judge' as const), which: fc.nat(), judged: judgement }) },
  { weight: 2, arbitrary: fc.record({ kind: some('retry' as const), which: fc.nat(), judged: judgement }) },
  { weight: 1, arbitrary: fc.record({ kind: some('try' as const), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: some('expire' as const), before: time }) },
  { weight: 2, arbitrary: fc.record({ kind: some('fold' as const) }) },
);
type RunEvent = typeof arbitraryEvent extends fc.Arbitrary<infer T> ? T : never;

function happen(watched: Watched, what: RunEvent): Promise<unknown> {
  switch (what.kind) {
    case 'sample':
      return watched.sample(what.runs);
    case 'again':
      return watched.sampleAgain(what.from, what.count);
    case 'judge':
      return watched.judge(what.which, what.judged, 'outcome IS NULL');
    case 'retry':
      return watched.judge(what.which, what.judged, FAILED_RUNS);
    case 'try':
      return watched.tryAgain(what.which);
    case 'expire':
      return watched.expire(what.before);
    case 'fold':
      return fold();
  }
}

const query = fc.record({
  ends: fc.tuple(time, time).map(([a, b]) => ({ start: Math.min(a, b), end: Math.max(a, b) + 1 })),
  bucketMs: some(HOUR, DAY),
  targetIds: some([7], [7, 8], undefined),
  outcomes: some<MonitorOutcome[] | undefined>(['FAULT'], ['PASS', 'ERROR'], undefined, undefined),
});
type Query = typeof query extends fc.Arbitrary<infer T> ? T : never;

const KEY: Record<ActivityGroup, (row: Row) => string> = {
  none: () => 'all',
  monitor: (row) => String(row.monitor_id),
  version: (row) => `${row.version_number}${row.shadow ? '/shadow' : ''}`,
};

function matching(rows: readonly Row[], { span, monitorId, targetIds, outcomes }: CountedRuns): Row[] {
  return rows.filter(
    ({ outcome, ...row }) =>
      outcome !== null &&
      row.date_created >= span.start &&
      row.date_created < span.end &&
      (monitorId === undefined || row.monitor_id === monitorId) &&
      (targetIds?.includes(row.monitor_target_id) ?? true) &&
      (outcomes?.includes(outcome) ?? true),
  );
}

const countsOf = (rows: readonly Row[]) => ({
  ...Object.fromEntries(
    OUTCOMES.map((each) => [each.toLowerCase(), rows.filter(({ outcome }) => outcome === each).length]),
  ),
  total: rows.length,
});
/** The sum of those that are known, to ten decimals; null when none is. */
function sumOf(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : rounded(known.reduce((sum, value) => sum + value, 0));
}
const rounded = (value: number | null): number | null => (value === null ? null : Number(value.toFixed(10)));

function grouped<Key>(rows: readonly Row[], keyOf: (row: Row) => Key): Map<Key, Row[]> {
  const groups = new Map<Key, Row[]>();
  for (const row of rows) groups.set(keyOf(row), [...(groups.get(keyOf(row)) ?? []), row]);
  return groups;
}

function pointsIn(rows: readonly Row[], { bucketMs }: Span, group: ActivityGroup) {
  const shown = group === 'version' ? rows : rows.filter(({ shadow }) => !shadow);
  const points = grouped(shown, (row) => `${KEY[group](row)} ${row.date_created - (row.date_created % bucketMs)}`);
  return [...points].map(([at, own]) => ({ at, ...countsOf(own) }));
}

const metricsIn = (rows: readonly Row[]) => ({
  ...countsOf(rows),
  duration_ms: sumOf(rows.map(({ runner_duration_ms }) => runner_duration_ms)),
  cost: sumOf(rows.map(({ cost }) => cost)),
  last_run_at: rows.length === 0 ? null : Math.max(...rows.map(({ date_created }) => date_created)),
});

const byPlace = (a: { at: string }, b: { at: string }): number => (a.at < b.at ? -1 : 1);

async function mustAgree(
  { companyId, monitors }: Watched,
  rows: readonly Row[],
  { ends, bucketMs, ...narrowed }: Query,
) {
  const span: Span = { ...ends, bucketMs };
  const pointsMustAgree = async (counted: CountedRuns, group: ActivityGroup): Promise<void> => {
    const found = await counts.points(companyId, counted, group);
    const points = found.map(({ key, label: _label, timestamp, ...point }) => ({
      at: `${key} ${timestamp}`,
      ...point,
    }));
    expect(points.sort(byPlace)).toEqual(pointsIn(matching(rows, counted), span, group).sort(byPlace));
  };
  await pointsMustAgree({ span, outcomes: narrowed.outcomes }, 'monitor');
  for (const monitorId of monitors) {
    const counted = { span, monitorId, ...narrowed };
    await pointsMustAgree(counted, 'none');
    await pointsMustAgree(counted, 'version');
    const plain = matching(rows, counted);
    const shown = plain.filter(({ shadow }) => !shadow);
    const targets = [...grouped(shown, (row) => row.monitor_target_id)].sort(([a], [b]) => a - b);
    const found = await counts.metrics(companyId, counted);
    expect(found.map((each) => ({ ...each, cost: rounded(each.cost) }))).toEqual(
      [...targets, [null, shown] as const].map(([target_id, own]) => ({ target_id, ...metricsIn(own) })),
    );
    const { shadow_cost } = await counts.budget(companyId, counted);
    expect(rounded(shadow_cost)).toBe(sumOf(plain.filter(({ shadow }) => shadow).map(({ cost }) => cost)));
  }
}

const ALL: Query = {
  ends: { start: BEGINS - DAY, end: BEGINS + 9 * DAY + 5 },
  bucketMs: DAY,
  targetIds: undefined,
  outcomes: undefined,
};

describe('activity and metrics', () => {
  it('agree with the runs after whatever has happened, over any span', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(arbitraryEvent, { minLength: 2, maxLength: 14 }),
        fc.array(query, { minLength: 3, maxLength: 3 }),
        async (generated, queries) => {
          const watched = await Watched.make();
          for (const what of generated) await happen(watched, what);
          const rows = await watched.rows();
          for (const one of [...queries, ALL]) await mustAgree(watched, rows, one);
        },
      ),
      { numRuns: 40, endOnFailure: true },
    );
  }, 120_000);

  it('agree while runs are sampled, judged, deleted and folded at the same time', async () => {
    const watched = await Watched.make();
    const [given = []] = fc.sample(fc.array(sampled, { minLength: 400, maxLength: 400 }), { numRuns: 1, seed: 1 });
    const [judged = []] = fc.sample(fc.array(judgement, { minLength: 40, maxLength: 40 }), { numRuns: 1, seed: 2 });
    await watched.sample(given.slice(0, 200));
    await Promise.all([
      ...Array.from({ length: 10 }, (_, at) => watched.sample(given.slice(200 + at * 20, 220 + at * 20))),
      ...judged.map((each, at) => watched.judge(at * 5, each, 'outcome IS NULL')),
      ...Array.from({ length: 5 }, fold),
      watched.expire(BEGINS + DAY),
    ]);
    await mustAgree(watched, await watched.rows(), ALL);
    await fold();
    await mustAgree(watched, await watched.rows(), ALL);
  }, 60_000);

  it('know the newest run of an outcome when a later one has another outcome since the counts', async () => {
    const watched = await Watched.make();
    const judged = { outcome: 'ERROR', runner_duration_ms: 1, cost: null } as const;
    const run = { monitor: 0, monitor_target_id: 7, version_number: '1.0.0', shadow: false, judged };
    const [first, second] = [BEGINS + 5 * HOUR, BEGINS + DAY + 13 * HOUR];
    await watched.sample([first, second].map((date_created) => ({ ...run, date_created })));
    await fold();
    await watched.judge(1, { ...judged, outcome: 'PASS' }, FAILED_RUNS);
    await mustAgree(watched, await watched.rows(), { ...ALL, outcomes: ['ERROR'] });
  });

  it('keep no count of runs that retention has deleted', async () => {
    const watched = await Watched.make();
    const [given = []] = fc.sample(fc.array(sampled, { minLength: 60, maxLength: 60 }), { numRuns: 1, seed: 3 });
    await watched.sample(given);
    await fold();
    await watched.expire(BEGINS + 9 * DAY);
    await fold();
    expect((await watched.rows()).every(({ outcome }) => outcome === null)).toBe(true);
    for (const table of ['monitor_run_counts', 'monitor_run_count_changes'])
      expect(
        await run(watched.companyId, `SELECT 1 FROM monitors.${table} WHERE company_id = $1`, [watched.companyId]),
      ).toEqual([]);
  });

  it('have the runs that existed before they were counted, once, and those that are written meanwhile', async () => {
    const watched = await Watched.make();
    const [given = []] = fc.sample(fc.array(sampled, { minLength: 90, maxLength: 90 }), { numRuns: 1, seed: 4 });
    const migration = new CountedMonitorRuns1700000009646();
    const owner = await sql.connect();
    const writer = await sql.connect();
    try {
      const runner = owner as unknown as Parameters<typeof migration.up>[0];
      await owner.query('SET ROLE svc_monitors_owner');
      await migration.down(runner);
      await writer.query('SET session_replication_role = replica');
      await writer.query(INSERT, watched.values(given.slice(0, 30)));
      await writer.query('RESET session_replication_role');
      // Noted, seen and counted; and noted by a transaction that commits after the count.
      await watched.sample(given.slice(30, 60));
      await writer.query('BEGIN');
      await writer.query(INSERT, watched.values(given.slice(60)));
      await migration.up(runner);
      await writer.query('COMMIT');
    } finally {
      owner.release(true);
      writer.release(true);
    }
    await mustAgree(watched, await watched.rows(), ALL);
    await fold();
    await mustAgree(watched, await watched.rows(), ALL);
  });
});
