import { schemaDifferences, startServers, statementFaults, type TestServers } from '@signalbox/testing';
import { ENTITIES } from '../src/entities.js';

let servers: TestServers;
beforeAll(async () => {
  servers = await startServers({ migrated: true });
}, 120_000);
afterAll(() => servers.stop());

it('has statements that the migrated schema can plan, with the indexes that they declare', async () => {
  const folder = new URL('../src/', import.meta.url);
  expect(await statementFaults(servers.postgres.url, 'agents', folder)).toEqual([]);
}, 30_000);

it('has an entity for every table of agents, and the migrated schema agrees with the entities', async () => {
  expect(await schemaDifferences(servers.postgres.url, 'agents', ENTITIES)).toEqual([]);
}, 30_000);
