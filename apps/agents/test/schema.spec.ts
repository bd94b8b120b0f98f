import type { Message } from '@signalbox/contracts';
import { type Filter, filtersOf, listSql, runFiltersOf, sortSql } from '@signalbox/database';
import { firstTextOf, shownFirst } from '@signalbox/runs';
import { rowsScanned, startServers, testSchemaOf, type TestServers } from '@signalbox/testing';
import { Client } from 'pg';
import { ENTITIES } from '../src/entities.js';
import { taskView } from '../src/tasks/index.js';
import { TASKS_OF_RUN } from '../src/tasks/task-cancellations.sql.js';

const ROWS = 20_000;
const CALLER = '00000000-0000-4000-8000-000000000001';

let servers: TestServers;
let client: Client;
beforeAll(async () => {
  servers = await startServers({ migrated: true });
  client = new Client({ connectionString: servers.postgres.url });
  await client.connect();
}, 120_000);
afterAll(async () => {
  await client.end();
  await servers.stop();
});

const text = (said: string) => ({ type: 'text', text: said });
const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
const CONTENTS: Message['content'][] = [
  ...[
    null,
    undefined,
    '',
    ' ',
    'hi',
    '"quoted"\n\\ \u0001',
    'x'.repeat(300),
    '😀'.repeat(201),
    `x${'😀'.repeat(199)}y`,
  ],
  ...[[], [image], [image, text('one'), text('two')], [text(''), text('two')], [text('é'.repeat(250))]],
];
const MESSAGES = (['system', 'user', 'assistant'] as const).flatMap((role) =>
  CONTENTS.map((content): Message => ({ role, ...(content === undefined ? {} : { content }) })),
);
const INPUTS: Message[][] = [[], ...MESSAGES.flatMap((one) => [[one], ...MESSAGES.map((other) => [one, other])])];

it('stores the first message of a task as its input says it', async () => {
  const shown = async (stored: (string | null)[]): Promise<unknown[]> => {
    const { rows } = await client.query<{ shown: string | null }>(
      `SELECT ${taskView.computed?.['first_message']} AS shown
       FROM unnest($1::text[]::jsonb[], $2::text[]) WITH ORDINALITY t(input_messages, first_message, no) ORDER BY no`,
      [INPUTS.map((input) => JSON.stringify(input)), stored],
    );
    return rows.map((row) => row.shown);
  };
  const said = await shown(INPUTS.map(() => null));
  expect(new Set(said).size).toBeGreaterThan(8);
  expect(await shown(INPUTS.map((input) => shownFirst(firstTextOf(input))))).toEqual(said);
  // The input is left unread where a text, or that there is none, is stored.
  expect(new Set(await shown(INPUTS.map(() => 'stored')))).toEqual(new Set(['stored']));
  expect(new Set(await shown(INPUTS.map(() => '')))).toEqual(new Set([null]));
});

describe('of many tasks', () => {
  beforeAll(async () => {
    await client.query(
      `BEGIN; SET LOCAL session_replication_role = replica;
       INSERT INTO agents.tasks (company_id, id, agent_id, session_no, session_id, status, application_id, snapshot,
         input_messages, max_iterations, has_secrets, trigger, work_kind, date_created, completed_at, called_by)
       SELECT 1, gen_random_uuid(), 1, n, 's-' || n % 1000, CASE WHEN n % 50 = 0 THEN 'RUNNING' ELSE 'COMPLETED' END, 1,
         '{}', '[]', 1, false, 'API', 'none', n, CASE WHEN n % 50 > 0 THEN n END,
         CASE WHEN n % 5000 = 0 THEN '${CALLER}'::uuid WHEN n % 50 = 0 THEN gen_random_uuid() END
       FROM generate_series(1, ${ROWS}) n;
       ANALYZE agents.tasks`,
    );
  });
  afterAll(() => client.query('ROLLBACK'));

  it.each<[what: string, filters: Filter[], found: number]>([
    ['an old span of dates', filtersOf(taskView, { start_date: 1001, end_date: 1401 }), 400],
    ['a session', filtersOf(taskView, { session_id: 's-7' }), 20],
    ['open states', runFiltersOf(taskView, { status: ['QUEUED', 'RUNNING'] }), 400],
  ])('a list of those of %s reads few', async (_what, filters, found) => {
    const options = { offset: 0, limit: 25, sort: '-id', filters };
    const { text: list, values } = listSql(taskView, options, sortSql(taskView, '-id') ?? '');
    const { rows } = await client.query<{ total: number }>(list, [1, ...values]);
    expect(rows).toMatchObject([{ total: found }]);
    expect(await rowsScanned(client, list, [1, ...values])).toBeLessThan(1000);
  });

  it.each(['completed_at', '-completed_at', 'status', '-status', 'cost', '-duration_ms'])(
    'a page in the order of %s is read by an index',
    async (sort) => {
      const options = { offset: 0, limit: 25, sort, filters: [] };
      const { text: list, values } = listSql(taskView, options, sortSql(taskView, sort) ?? '');
      // The rows of the page, and those that are counted with it.
      expect(await rowsScanned(client, list, [1, ...values])).toBeLessThan(6000);
    },
  );

  it('the open ones that a run has called are found alone', async () => {
    expect(await rowsScanned(client, TASKS_OF_RUN.text, [1, CALLER])).toBeLessThan(10);
  });
});

testSchemaOf('agents', ENTITIES, new URL('../src/', import.meta.url), () => servers);
