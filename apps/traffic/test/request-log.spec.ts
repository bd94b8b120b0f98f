import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { eventually } from '@signalbox/testing';
import { ask, recorded, rowsOf, startTraffic, type Traffic, withModel } from './traffic.js';

let traffic: Traffic;
beforeAll(async () => {
  // Not on the shared platform, which has the spools of other processes and the partitions of other specs.
  traffic = await startTraffic({ env: {} });
}, 60_000);
afterAll(() => traffic.stop());

const spoolDir = () => join(traffic.platform.servers.dir, 'spool', 'traffic');

describe('the request log', () => {
  it('records a call whose process is killed between its answer and the insert', async () => {
    const { platform } = traffic;
    const { companyId } = await withModel(traffic);
    await ask(traffic, companyId, 'warm', { model: 'm' });
    // With the table locked, the answers are given and the rows cannot be there yet.
    const locker = await platform.sql.connect();
    await locker.query('BEGIN; LOCK TABLE traffic.requests IN ACCESS EXCLUSIVE MODE');
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => ask(traffic, companyId, `${n}`, { model: 'm' })),
    );
    await platform.service('traffic').kill('SIGKILL');
    await locker.query('ROLLBACK');
    locker.release();
    const before = (await rowsOf(traffic, companyId)).length;
    await platform.service('traffic').start();
    const rows = await recorded(traffic, companyId, 21);
    expect(before).toBeLessThan(21);
    expect(rows.map(({ request_id }) => request_id).sort()).toEqual(
      expect.arrayContaining(answers.map(({ request_id }) => request_id).sort()),
    );
    expect(rows).toHaveLength(21);
  }, 60_000);

  it('inserts what is replayed once, with one event, and keeps a record that Postgres refuses without its content', async () => {
    const { platform } = traffic;
    const { companyId } = await platform.company();
    const { request_id } = await ask(traffic, companyId, 'once');
    const [row] = await recorded(traffic, companyId, 1);
    const again = { ...row, params: '{}', metadata: '{}', response: null };
    const bad = { ...again, request_id: randomUUID(), params: '{"a": ' };
    const lines = [again, bad, again].map((record) => JSON.stringify(record)).join('\n');
    await mkdir(spoolDir(), { recursive: true });
    await writeFile(join(spoolDir(), `${randomUUID()}.1.log`), `${lines}\nnot json\n{"torn":`);
    const rows = await recorded(traffic, companyId, 2);
    expect(rows).toHaveLength(2);
    expect(rows[1]).toMatchObject({ params: {}, error_message: 'its content cannot be stored' });
    const { rows: events } = await platform.sql.query(
      `SELECT 1 FROM traffic.outbox WHERE company_id = $1 AND payload LIKE $2`,
      [companyId, `%${request_id}%`],
    );
    expect(events).toHaveLength(1);
  });

  it('has a partition for today and the coming week, each under forced row-level security', async () => {
    const { rows } = await traffic.platform.sql.query(
      `SELECT c.relname, c.relrowsecurity AND c.relforcerowsecurity AS forced FROM pg_inherits i
       JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'traffic.requests'::regclass`,
    );
    expect(rows.length).toBeGreaterThanOrEqual(9);
    expect(rows.every(({ forced }) => forced)).toBe(true);
    const { rows: stray } = await traffic.platform.sql.query('SELECT 1 FROM traffic.requests_default');
    expect(stray).toHaveLength(0);
  });

  it('makes the partitions that are missing when it starts', async () => {
    const { platform } = traffic;
    const last = `traffic.requests_${new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '')}`;
    await platform.sql.query(`DROP TABLE ${last}`);
    await platform.service('traffic').kill('SIGTERM');
    await platform.service('traffic').start();
    await eventually('the partition is back', async () => {
      const { rows } = await platform.sql.query('SELECT to_regclass($1) IS NOT NULL AS there', [last]);
      return rows[0].there;
    });
  });

  it('makes no partition while a backup reads, rather than let every statement wait for it', async () => {
    const { platform } = traffic;
    const day = new Date(Date.now() + 9 * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');
    const backup = await platform.sql.connect();
    const maker = await platform.sql.connect();
    await backup.query('BEGIN; LOCK TABLE traffic.requests IN ACCESS SHARE MODE');
    await maker.query(`SET statement_timeout = '30s'`);
    await expect(maker.query('SELECT traffic.make_request_partitions(9)')).rejects.toMatchObject({ code: '55P03' });
    await backup.query('COMMIT');
    await maker.query('SELECT traffic.make_request_partitions(9)');
    const { rows } = await maker.query('SELECT to_regclass($1) IS NOT NULL AS there', [`traffic.requests_${day}`]);
    expect(rows).toEqual([{ there: true }]);
    await maker.query('RESET statement_timeout');
    for (const client of [backup, maker]) client.release();
  });

  it('leaves nothing on disk once everything is in Postgres', async () => {
    const { platform } = traffic;
    const { companyId } = await withModel(traffic);
    const size = async (name: string) => (await stat(join(spoolDir(), name)).catch(() => null))?.size ?? 0;
    await ask(traffic, companyId, 'kept for a moment', { model: 'm' });
    await recorded(traffic, companyId, 1);
    await eventually('the spool is empty', async () => {
      const names = (await readdir(spoolDir())).filter((name) => name.endsWith('.log'));
      return (await Promise.all(names.map(size))).every((bytes) => bytes === 0);
    });
    await platform.service('traffic').kill('SIGTERM');
    expect(await readdir(spoolDir())).toEqual([]);
    await platform.service('traffic').start();
  });
});

it('compresses texts by lz4 or not at all, in every partition', async () => {
  await traffic.platform.sql.query('SELECT traffic.make_request_partitions(9)');
  const { rows } = await traffic.platform.sql.query<{ how: string }>(`
    SELECT DISTINCT attcompression::text || attstorage::text AS how FROM pg_attribute
    WHERE attname IN ('params', 'response', 'corrected_response')
      AND attrelid IN (SELECT relid FROM pg_partition_tree('traffic.requests'))`);
  expect(rows.length).toBe(1);
  expect(['lx', 'e']).toContain(rows[0]?.how);
});
