import { Client } from 'pg';
import type { EntityTarget, ObjectLiteral } from 'typeorm';
import { startServers, type TestServers } from '../servers.js';
import { schemaDifferences } from './schema-differences.js';
import { statementFaults } from './statement-faults.js';

const START_MS = 120_000;
const READ_MS = 30_000;

/**
 * Tests that the statements below a folder and the entities of a service agree with its migrated schema. To be declared
 * last in a spec: the comparison drops the defaults of columns.
 */
export function testSchemaOf(
  service: string,
  entities: readonly EntityTarget<ObjectLiteral>[],
  folder: URL,
  servers: () => TestServers,
): void {
  // Of a table that autovacuum has analyzed or vacuumed Postgres may choose among equal indexes another one.
  beforeAll(async () => {
    const client = new Client({ connectionString: servers().postgres.url });
    await client.connect();
    await client.query('ALTER SYSTEM SET autovacuum = off');
    await client.query('SELECT pg_reload_conf()');
    await client.end();
  });

  it(
    'has statements that the migrated schema can plan, with the indexes that they declare',
    async () => {
      expect(await statementFaults(servers().postgres.url, service, folder)).toEqual([]);
    },
    READ_MS,
  );

  it(
    `has an entity for every table of ${service}, and the migrated schema agrees with the entities`,
    async () => {
      expect(await schemaDifferences(servers().postgres.url, service, entities)).toEqual([]);
    },
    READ_MS,
  );
}

export function describeSchema(service: string, entities: readonly EntityTarget<ObjectLiteral>[], folder: URL): void {
  describe(`the schema of ${service}`, () => {
    let servers: TestServers;
    beforeAll(async () => {
      servers = await startServers({ migrated: true });
    }, START_MS);
    afterAll(() => servers.stop());
    testSchemaOf(service, entities, folder, () => servers);
  });
}
