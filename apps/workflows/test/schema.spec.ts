import { type Filter, filtersOf, listSql, runFiltersOf, sortSql } from '@signalbox/database';
import { rowsScanned, startServers, testSchemaOf, type TestServers } from '@signalbox/testing';
import { Client } from 'pg';
import { ENTITIES } from '../src/entities.js';
import { type NewRun, runView, valuesOf } from '../src/runs/index.js';
import { RUNS_OF_TASK } from '../src/runs/run-cancellations.sql.js';

const CALLER = '00000000-0000-4000-8000-000000000001';

let servers: TestServers;
beforeAll(async () => {
  servers = await startServers({ migrated: true });
}, 120_000);
afterAll(() => servers.stop());

it.each([
  ['application_id = 1', 'runs_of_application'],
  [`failure_class = ANY('{sandbox}')`, 'runs_failed'],
  ['workflow_id = 1', 'runs_of_workflow'],
])('lists and counts the runs with %s by an index, in the order of acceptance', async (condition, index) => {
  const client = new Client({ connectionString: servers.postgres.url });
  await client.connect();
  try {
    await client.query(`BEGIN; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off;
      SET LOCAL session_replication_role = replica;
      INSERT INTO workflows.runs (company_id, id, status, work_kind, workflow_id, workflow_ref_name, session_id,
        trigger, root_trigger, mode, snapshot, application_id, failure_class)
      SELECT 1, gen_random_uuid(), 'QUEUED', 'none', i % 50, 'ref', i::text, 'API', 'API', 'sync', '{}', i % 50,
        CASE WHEN i % 50 = 1 THEN 'sandbox' END
      FROM generate_series(1, 5000) i;
      ANALYZE workflows.runs`);
    const from = `FROM workflows.runs WHERE company_id = 1 AND ${condition}`;
    for (const statement of [`SELECT * ${from} ORDER BY no DESC LIMIT 25`, `SELECT count(*) ${from}`]) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN ${statement}`);
      expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain(index);
    }
  } finally {
    await client.end();
  }
});

const user = (content: unknown) => [{ role: 'user', content }];
const MESSAGES: unknown[] = [
  null,
  [],
  user('hi'),
  user(''),
  user(null),
  user([{ type: 'image_url' }]),
  user('😀'.repeat(201)),
];
const LEAVES: unknown[] = [
  ...[
    null,
    true,
    false,
    '',
    'text',
    '"\\/\b\f\n\r\t\u0001\u001f\u007f\u2028é😀',
    '😀'.repeat(201),
    'x'.repeat(500),
    [],
    {},
  ],
  ...[0, -0, 1.5, -12, 1e20, 1e21, 1.25e22, -3e-7, 1.5e-9, 5e-324, 1.7976931348623157e308, 123456789012345680000],
];
const INPUTS: unknown[] = [
  ...LEAVES,
  ...LEAVES.map((leaf) => [leaf, [leaf, leaf]]),
  ...LEAVES.map((leaf) => ({
    zz: leaf,
    b: [{ a: leaf }],
    é: 1,
    a: leaf,
    '😀': 2,
    '': 3,
    'k"\n': 4,
    abc: 5,
    __proto__x: 6,
    B: 7,
  })),
  Array.from({ length: 300 }, (_, n) => n),
  Array.from({ length: 150 }, () => ({ '😀': '😀' })),
];

it('stores the first message of a run as its input and messages say it', async () => {
  const runs = MESSAGES.flatMap((messages) => INPUTS.map((input) => valuesOf({ input, messages } as NewRun)));
  const client = new Client({ connectionString: servers.postgres.url });
  await client.connect();
  try {
    const shown = async (stored: unknown[]): Promise<unknown[]> => {
      const { rows } = await client.query<{ shown: string | null }>(
        `SELECT ${runView.computed?.['first_message']} AS shown FROM unnest($1::text[]::jsonb[], $2::text[]::jsonb[], $3::text[])
           WITH ORDINALITY t(input, messages, first_message, no) ORDER BY no`,
        [runs.map(({ input }) => input), runs.map(({ messages }) => messages), stored],
      );
      return rows.map((row) => row.shown);
    };
    const said = await shown(runs.map(() => null));
    expect(new Set(said).size).toBeGreaterThan(50);
    expect(await shown(runs.map(({ first_message }) => first_message))).toEqual(said);
    expect(new Set(await shown(runs.map(() => 'stored')))).toEqual(new Set(['stored']));
    expect(new Set(await shown(runs.map(() => '')))).toEqual(new Set([null]));
  } finally {
    await client.end();
  }
});

describe('of many runs', () => {
  let client: Client;
  beforeAll(async () => {
    client = new Client({ connectionString: servers.postgres.url });
    await client.connect();
    await client.query(
      `BEGIN; SET LOCAL session_replication_role = replica;
       INSERT INTO workflows.runs (company_id, id, status, work_kind, workflow_id, workflow_ref_name, session_id, trigger,
         root_trigger, mode, snapshot, application_id, date_created, completed_at, called_by)
       SELECT 1, gen_random_uuid(), CASE WHEN n % 50 = 0 THEN 'RUNNING' ELSE 'COMPLETED' END, 'none', 1, 'ref', n::text,
         'API', 'API', 'sync', '{}', 1, n, CASE WHEN n % 50 > 0 THEN n END,
         CASE WHEN n % 5000 = 0 THEN '${CALLER}'::uuid WHEN n % 50 = 0 THEN gen_random_uuid() END
       FROM generate_series(1, 20000) n;
       ANALYZE workflows.runs`,
    );
  });
  afterAll(() => client.end());

  it.each<[what: string, filters: Filter[]]>([
    ['an old span of dates', filtersOf(runView, { start_date: 1001, end_date: 1401 })],
    ['open states', runFiltersOf(runView, { status: ['QUEUED', 'RUNNING'] })],
  ])('a list of those of %s reads few', async (_what, filters) => {
    const options = { offset: 0, limit: 25, sort: '-id', filters };
    const { text, values } = listSql(runView, options, sortSql(runView, '-id') ?? '');
    const { rows } = await client.query<{ total: number }>(text, [1, ...values]);
    expect(rows).toMatchObject([{ total: 400 }]);
    expect(await rowsScanned(client, text, [1, ...values])).toBeLessThan(1000);
  });

  it.each(['completed_at', '-completed_at', 'status', '-status', 'cost', '-duration_ms'])(
    'a page in the order of %s is read by an index',
    async (sort) => {
      const options = { offset: 0, limit: 25, sort, filters: [] };
      const { text, values } = listSql(runView, options, sortSql(runView, sort) ?? '');
      // The rows of the page, and those that are counted with it.
      expect(await rowsScanned(client, text, [1, ...values])).toBeLessThan(6000);
    },
  );

  it('the open ones that a task has called are found alone', async () => {
    expect(await rowsScanned(client, RUNS_OF_TASK.text, [1, CALLER])).toBeLessThan(10);
  });
});

testSchemaOf('workflows', ENTITIES, new URL('../src/', import.meta.url), () => servers);
