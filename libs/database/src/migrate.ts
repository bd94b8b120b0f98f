import { Client } from 'pg';
import { DataSource, type MigrationInterface } from 'typeorm';
import { infrastructure } from './infrastructure.js';
import { rolesOf } from './schema.js';

/** What a service needs to have its schema made or brought up to date. */
export interface Migration {
  service: string;
  /** URL of a role that may create roles and schemas. */
  adminUrl: string;
  /** URLs whose passwords the runtime and worker roles get. */
  runtimeUrl: string;
  workerUrl: string;
  migrations: (new () => MigrationInterface)[];
}

const LOCK = 'signalbox migrations';

async function ensureRole(client: Client, role: string, password: string | null): Promise<void> {
  const exists = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role]);
  const options = `NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS ${
    password === null ? 'NOLOGIN' : `LOGIN PASSWORD ${client.escapeLiteral(password)}`
  }`;
  await client.query(`${exists.rowCount ? 'ALTER' : 'CREATE'} ROLE ${client.escapeIdentifier(role)} ${options}`);
}

const passwordOf = (url: string): string => decodeURIComponent(new URL(url).password);

async function prepare(client: Client, { service, runtimeUrl, workerUrl }: Migration): Promise<void> {
  const { owner, runtime, worker } = rolesOf(service);
  await ensureRole(client, owner, null);
  await ensureRole(client, runtime, passwordOf(runtimeUrl));
  await ensureRole(client, worker, passwordOf(workerUrl));
  await client.query(`GRANT ${client.escapeIdentifier(owner)} TO CURRENT_USER`);
  const schema = client.escapeIdentifier(service);
  await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema} AUTHORIZATION ${client.escapeIdentifier(owner)}`);
  for (const role of [runtime, worker])
    await client.query(`GRANT USAGE ON SCHEMA ${schema} TO ${client.escapeIdentifier(role)}`);
}

/**
 * Makes the roles and the schema of a service and runs what migrations are missing, as the owner role. One process
 * of the whole platform migrates at a time; the rest wait for the lock and then find nothing to do.
 */
export async function migrateService(migration: Migration): Promise<void> {
  const { service, adminUrl } = migration;
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [LOCK]);
    await prepare(client, migration);
    const source = new DataSource({
      type: 'postgres',
      url: adminUrl,
      schema: service,
      migrations: [infrastructure(service), ...migration.migrations],
      migrationsTableName: 'migrations',
      migrationsTransactionMode: 'each',
      extra: { max: 2, options: `-c role=${rolesOf(service).owner}` },
    });
    await source.initialize();
    try {
      await source.runMigrations();
    } finally {
      await source.destroy();
    }
  } finally {
    await client.end();
  }
}
