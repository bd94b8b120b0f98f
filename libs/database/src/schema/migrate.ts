import { readSettings } from '@signalbox/platform';
import { Client } from 'pg';
import { DataSource, type MigrationInterface } from 'typeorm';
import { infrastructure } from './infrastructure.js';
import { rolesOf } from './schema.js';
import { traceColumns } from './trace-columns.js';
import { streamInfrastructure } from './stream-infrastructure.js';
import { workClaimIndexes, workTable } from './work-table.js';

/** The inputs to create or update the schema of a service. */
export interface Migration {
  service: string;
  migrations: (new () => MigrationInterface)[];
}

const LOCK = 'signalbox migrations';

async function ensureRole(client: Client, role: string, password: string | null): Promise<void> {
  const exists = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role]);
  const options = `NOSUPERUSER NOCREATEDB NOCREATEROLE NOBYPASSRLS ${
    password === null ? 'NOLOGIN' : `LOGIN PASSWORD ${client.escapeLiteral(password)}`
  }`;
  const name = client.escapeIdentifier(role);
  await client.query(`${exists.rowCount ? 'ALTER' : 'CREATE'} ROLE ${name} ${options}`);
  // Statements are short; JIT compilation takes tens of milliseconds and its result is not reused.
  await client.query(`ALTER ROLE ${name} SET jit = off`);
}

const passwordOf = (url: string): string => decodeURIComponent(new URL(url).password);

async function prepare(client: Client, service: string, runtimeUrl: string, workerUrl: string): Promise<void> {
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
 * Creates the roles and the schema of a service and runs the missing migrations as the owner role. Only one process of
 * the platform migrates at a time; the others wait for the lock. Settings: `DATABASE_ADMIN_URL` may create roles and
 * schemas; the passwords of the roles are those in `DATABASE_URL` and `WORKER_DATABASE_URL`.
 */
export async function migrateService({ service, migrations }: Migration): Promise<void> {
  const settings = readSettings(['DATABASE_ADMIN_URL', 'DATABASE_URL', 'WORKER_DATABASE_URL']);
  const adminUrl = settings.DATABASE_ADMIN_URL;
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock(hashtext($1))', [LOCK]);
    await prepare(client, service, settings.DATABASE_URL, settings.WORKER_DATABASE_URL);
    const source = new DataSource({
      type: 'postgres',
      url: adminUrl,
      schema: service,
      migrations: [
        infrastructure(service),
        workTable(service),
        workClaimIndexes(service),
        streamInfrastructure(service),
        traceColumns(service),
        ...migrations,
      ],
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
