import { eventually, type HttpTarget, Platform, startHttpTarget } from '@signalbox/testing';
import { CallingCompany } from './retention/calls.js';
import { NOT_RETAINED, OF_EVERY_SERVICE, RETAINED } from './retention/tables.js';

const DAY_MS = 86_400_000;
const KEPT_DAYS = 3;
const BACK_DAYS = 5;
const tables = Object.keys(RETAINED);

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
  const name = `requests_${new Date(starts).toISOString().slice(0, 10).replaceAll('-', '')}`;
  const client = await platform.sql.connect();
  try {
    await client.query('SET ROLE svc_traffic_owner');
    await client.query(
      `CREATE TABLE IF NOT EXISTS traffic.${name} PARTITION OF traffic.requests FOR VALUES FROM (${starts}) TO (${starts + DAY_MS})`,
    );
    await client.query('RESET ROLE');
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
