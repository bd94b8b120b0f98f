import { eventually, type HttpTarget, makeRequestDay, Platform, startHttpTarget } from '@signalbox/testing';
import { CallingCompany } from './retention/calls.js';
import { NOT_RETAINED, OF_EVERY_SERVICE, RETAINED } from './retention/tables.js';

const DAY_MS = 86_400_000;
const KEPT_DAYS = 3;
const BACK_DAYS = 5;
const tables = Object.keys(RETAINED);
/** Of one run: more than a transaction deletes, with more events than a statement does. */
const NESTED = 2500;

let platform: Platform;
let target: HttpTarget;
beforeAll(async () => {
  target = await startHttpTarget();
  platform = await Platform.start({
    services: ['accounts', 'traffic', 'agents', 'workflows', 'runner', 'monitors', 'gateway'],
    env: { EGRESS_ALLOW: '127.0.0.1/32' },
  });
}, 120_000);
afterAll(async () => {
  await platform?.stop();
  await target?.close();
});

/** `"schema".table` for SQL. */
const quoted = (table: string): string => table.replace(/^([^.]+)\./, '"$1".');

async function rowsOf(companyId: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of tables) {
    const text = `SELECT count(*)::int AS n FROM ${quoted(table)} WHERE company_id = $1`;
    counts[table] = (await platform.sql.query<{ n: number }>(text, [companyId])).rows[0]?.n ?? 0;
  }
  return counts;
}

const emptyOnes = (counts: Record<string, number>): string[] => tables.filter((table) => counts[table] === 0);

/** Moves everything a company has into the past, as if it had been recorded then. */
async function backdate(companyId: number): Promise<void> {
  const starts = Math.floor(Date.now() / DAY_MS) * DAY_MS - BACK_DAYS * DAY_MS;
  const client = await platform.sql.connect();
  try {
    await makeRequestDay(client, starts);
    // Without triggers: the counts of analytics are not the subject.
    await client.query('SET session_replication_role = replica');
    for (const [table, { dates }] of Object.entries(RETAINED))
      for (const column of dates)
        await client.query(
          `UPDATE ${quoted(table)} SET ${column} = ${column} - $2::bigint WHERE company_id = $1 AND ${column} IS NOT NULL`,
          [companyId, BACK_DAYS * DAY_MS],
        );
  } finally {
    // A role and a mode that were set would stay with the pooled connection.
    client.release(true);
  }
}

it('every table of companies is named as one whose rows go after the days a company keeps them, or as one without', async () => {
  const { rows } = await platform.sql.query<{ schema: string; name: string }>(
    `SELECT n.nspname AS schema, t.relname AS name FROM pg_class t
       JOIN pg_namespace n ON n.oid = t.relnamespace
       JOIN pg_attribute a ON a.attrelid = t.oid AND a.attname = 'company_id' AND NOT a.attisdropped
     WHERE t.relkind IN ('r', 'p') AND NOT t.relispartition ORDER BY 1, 2`,
  );
  const found = rows.filter(({ name }) => !(name in OF_EVERY_SERVICE)).map(({ schema, name }) => `${schema}.${name}`);
  expect(found).toEqual([...tables, ...Object.keys(NOT_RETAINED)].sort());
});

const uuid = (last: number): string => `'00000000-0000-4000-8000-00000000000${last}'::uuid`;

/** Old runs: one with nested runs of many events, and before it one whose nested run is open, as no run should be. */
async function insertFamilies(companyId: number, workflowId: number): Promise<void> {
  const client = await platform.sql.connect();
  try {
    await client.query('SET session_replication_role = replica');
    const insert = (values: string, from = '') =>
      client.query(
        `INSERT INTO workflows.runs (company_id, id, parent_run_id, call_key, status, completed_at, work_kind, workflow_id,
           workflow_ref_name, session_id, trigger, root_trigger, mode, snapshot)
         SELECT $1, ${values}, 'none', $2, 'flow', 's', 'API', 'API', 'sync', '{}' ${from}`,
        [companyId, workflowId],
      );
    await insert(`${uuid(1)}, NULL, NULL, 'COMPLETED', 1`);
    await insert(`${uuid(2)}, ${uuid(1)}, 'a', 'RUNNING', NULL`);
    await insert(`${uuid(3)}, NULL, NULL, 'COMPLETED', 2`);
    const nested = `gen_random_uuid(), ${uuid(3)}, i::text, 'COMPLETED', 1`;
    await insert(nested, `FROM generate_series(1, ${NESTED}) i`);
    await client.query(
      `INSERT INTO workflows.run_events (company_id, run_id, seq, type, data, timestamp)
       SELECT $1, r.id, i, 'run.event', '{}', 1 FROM workflows.runs r, generate_series(1, 12) i WHERE r.company_id = $1`,
      [companyId],
    );
  } finally {
    client.release(true);
  }
}

it('old runs with many nested runs and events go in statements of a bounded size, whatever stays before them', async () => {
  const company = await CallingCompany.make(platform);
  await company.send('PUT /company', { settings: { retention_days: { workflow_runs: KEPT_DAYS } } });
  const script = 'function execute() { return 1; }';
  const { id } = await company.send('POST /workflows', { workflow_ref_name: 'flow', script });
  await insertFamilies(company.id, id);
  await platform.sql.query(`CREATE FUNCTION workflows.refuse_many() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF (SELECT count(*) > 10000 FROM gone) THEN RAISE 'a statement has deleted too many rows'; END IF; RETURN NULL; END $$`);
  for (const table of ['runs', 'run_events'])
    await platform.sql.query(`CREATE TRIGGER many AFTER DELETE ON workflows.${table} REFERENCING OLD TABLE AS gone
      FOR EACH STATEMENT EXECUTE FUNCTION workflows.refuse_many()`);
  try {
    await platform.service('workflows').kill('SIGTERM');
    await platform.service('workflows').start();
    const left = async () => {
      const text = `SELECT (SELECT count(*)::int FROM workflows.runs WHERE company_id = $1) AS runs,
        (SELECT count(*)::int FROM workflows.run_events WHERE company_id = $1) AS events`;
      return (await platform.sql.query<{ runs: number; events: number }>(text, [company.id])).rows[0];
    };
    await eventually('the runs are gone', async () => (await left())?.runs === 2).catch(() => undefined);
    expect(await left()).toEqual({ runs: 2, events: 24 });
  } finally {
    await platform.sql.query('DROP FUNCTION workflows.refuse_many() CASCADE');
  }
}, 120_000);

it('each kind of content goes after the days that its company keeps it, and stays with others', async () => {
  const [keeper, leaver] = [await CallingCompany.make(platform), await CallingCompany.make(platform)];
  const settings = [...new Set(tables.map((table) => RETAINED[table]?.setting ?? ''))];
  const retention_days = Object.fromEntries(settings.map((setting) => [setting, KEPT_DAYS]));
  await leaver.send('PUT /company', { settings: { retention_days } });
  for (const company of [keeper, leaver]) {
    await company.call(target);
    const areFilled = async () => emptyOnes(await rowsOf(company.id)).length === 0;
    await eventually('every table has rows', areFilled).catch(() => undefined);
    expect(emptyOnes(await rowsOf(company.id))).toEqual([]);
    await backdate(company.id);
  }
  const before = await rowsOf(keeper.id);
  for (const name of ['traffic', 'agents', 'workflows', 'monitors']) {
    await platform.service(name).kill('SIGTERM');
    await platform.service(name).start();
  }
  const isGone = async () => emptyOnes(await rowsOf(leaver.id)).length === tables.length;
  await eventually('all content is gone', isGone).catch(() => undefined);
  expect(await rowsOf(leaver.id)).toEqual(Object.fromEntries(tables.map((table) => [table, 0])));
  expect(await rowsOf(keeper.id)).toEqual(before);
}, 120_000);
