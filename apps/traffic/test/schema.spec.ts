import { schemaDifferences, startServers, type TestServers } from '@signalbox/testing';
import { Client } from 'pg';
import { ENTITIES } from '../src/entities.js';
import { INSERT_UNKNOWN } from '../src/requests/request-writer.repository.js';

let servers: TestServers;
beforeAll(async () => {
  servers = await startServers({ migrated: true });
}, 120_000);
afterAll(() => servers.stop());

it('has an entity for every table of traffic, and the migrated schema agrees with the entities', async () => {
  expect(await schemaDifferences(servers.postgres.url, 'traffic', ENTITIES)).toEqual([]);
}, 30_000);

it('looks the ids of new requests up by the primary key, also with a plan that was made for empty partitions', async () => {
  const client = new Client({ connectionString: servers.postgres.url });
  await client.connect();
  try {
    await client.query('SET plan_cache_mode = force_generic_plan');
    await client.query(`PREPARE unknown AS ${INSERT_UNKNOWN}`);
    const nulls = Array.from({ length: new Set(INSERT_UNKNOWN.match(/\$\d+/g)).size }, () => 'NULL').join(', ');
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN EXECUTE unknown(${nulls})`);
    const scans = rows.map((row) => row['QUERY PLAN']).filter((line) => line.includes('Scan') && line.includes(' k_'));
    expect(scans.length).toBeGreaterThan(1);
    expect(scans.filter((line) => !line.includes('_pkey'))).toEqual([]);
  } finally {
    await client.end();
  }
}, 30_000);
