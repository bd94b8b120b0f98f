import { randomUUID } from 'node:crypto';
import { openDatabase, startServers, testSchemaOf, type TestServers } from '@signalbox/testing';
import { Client } from 'pg';
import { Rollups } from '../src/analytics/rollups.repository.js';
import { ENTITIES } from '../src/entities.js';
import { RequestReleases1700000003050 } from '../src/migrations/1700000003050-request-releases.js';
import { emptyRecord } from '../src/request-records/request-record.js';
import { INSERT_UNKNOWN } from '../src/request-records/writing/request-writer.sql.js';
import { requestWriter } from './request-writer.js';

let servers: TestServers;
beforeAll(async () => {
  servers = await startServers({ migrated: true });
}, 120_000);
afterAll(() => servers.stop());

// First, because the comparison with the entities drops defaults of columns, and compares what is migrated again.
it('adds releases to the metrics of earlier requests, and merges those of releases when that is undone', async () => {
  const client = new Client({ connectionString: servers.postgres.url });
  await client.connect();
  const open = await openDatabase(servers, 'traffic', 2);
  const migration = new RequestReleases1700000003050();
  const migrate = async (how: 'up' | 'down') => {
    await client.query('BEGIN; SET LOCAL ROLE svc_traffic_owner');
    await migration[how]({ query: (sql: string) => client.query(sql) } as never);
    await client.query('COMMIT');
  };
  const record = async (release: string) => {
    const own = { release, request_type: 'PROD', session_id: 'one', date_created: Date.parse('2024-06-02T10:00:00Z') };
    await requestWriter(open.db).insertOf(1, [{ ...emptyRecord(1, randomUUID()), ...own }]);
    await new Rollups(open.db).fold(1);
  };
  const counts = async (table: string, sql: string) =>
    (await client.query(`SELECT ${sql} AS n FROM traffic.${table} WHERE company_id = 1 ORDER BY 1`)).rows.map(({ n }) =>
      Number(n),
    );
  try {
    await record('agent:5@stable');
    await record('agent:5@canary');
    expect(await counts('request_rollups', 'recorded')).toEqual([1, 1, 1, 1]);
    await migrate('down');
    expect(await counts('request_rollups', 'recorded')).toEqual([2, 2]);
    expect(await counts('wandering_places', 'count(*)')).toEqual([1]);
    await migrate('up');
    await record('agent:5@stable');
    expect(await counts('request_rollups', 'recorded')).toEqual([1, 1, 2, 2]);
    expect(await counts('request_series_all', 'recorded')).toEqual([3, 3]);
  } finally {
    await open.close();
    await client.end();
  }
}, 60_000);

it('looks the ids of new requests up by the primary key and not in coming days, also with a plan that was made for empty partitions', async () => {
  const client = new Client({ connectionString: servers.postgres.url });
  await client.connect();
  try {
    await client.query('SET plan_cache_mode = force_generic_plan');
    await client.query(`PREPARE unknown AS ${INSERT_UNKNOWN.text}`);
    const nulls = Array.from({ length: new Set(INSERT_UNKNOWN.text.match(/\$\d+/g)).size }, () => 'NULL').join(', ');
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN EXECUTE unknown(${nulls})`);
    const scans = rows.map((row) => row['QUERY PLAN']).filter((line) => line.includes('Scan') && line.includes(' k_'));
    expect(scans.length).toBeGreaterThan(1);
    expect(scans.filter((line) => !line.includes('_pkey'))).toEqual([]);
    // Nothing is recorded in the coming days: of the partitions at most those next to today are read, by the time of day.
    expect(rows.map((row) => row['QUERY PLAN'])).toContainEqual(expect.stringMatching(/Subplans Removed: [5-7]$/));
  } finally {
    await client.end();
  }
});

testSchemaOf('traffic', ENTITIES, new URL('../src/', import.meta.url), () => servers);
