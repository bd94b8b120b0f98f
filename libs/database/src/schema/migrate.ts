import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { DataSource, type MigrationInterface } from 'typeorm';
import { requireVersion, versionOf } from '../require-database.js';
import { infrastructure } from './infrastructure.js';
import { pruningIndexes } from './pruning-indexes.js';
import { openToBackups } from './open-to-backups.js';
import { rolesOf } from './schema.js';
import { traceColumns } from './trace-columns.js';
import { streamInfrastructure } from './stream-infrastructure.js';
import { workClaimIndexes, workTable } from './work-table.js';

/** The schema of a service and the migrations that make it. */
export interface Migration {
  service: string;
  migrations: (new () => MigrationInterface)[];
}

/** The logins of a service: its migration creates the two roles with the passwords in these URLs. */
export interface SchemaLogins {
  runtimeUrl: string;
  workerUrl: string;
}

/** The task of a migration process: modules that export a `Migration` as `schema`, with the logins of each service. */
export interface MigrationTask {
  /** May create roles and schemas. */
  adminUrl: string;
  schemas: (SchemaLogins & { module: string })[];
  /** Only compares the schemas with the code: nothing is changed. */
  compares?: boolean;
  /** By service, the names of the only migrations to run: a backup is restored into the schemas that it was taken of. */
  only?: Record<string, string[]>;
}

/** How the schema of a service differs from the code, by the names of migrations. */
export interface SchemaDifference {
  service: string;
  /** In the code, and not run. */
  missing: string[];
  /** Run by another release, and not in the code. */
  unknown: string[];
}

/** The result of a migration process: an error names the service. */
export interface MigrationResult {
  error?: string;
  /** Of a task that compares, a difference for each schema. */
  differences?: SchemaDifference[];
}

const LOCK = 'signalbox migrations';
const LOCK_PAUSE_MS = 200;

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

async function prepare(client: Client, service: string, { runtimeUrl, workerUrl }: SchemaLogins): Promise<void> {
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

/** The migrations of a service with those of the tables that every service has. */
const allOf = ({ service, migrations }: Migration): Migration['migrations'] => [
  infrastructure(service),
  workTable(service),
  workClaimIndexes(service),
  streamInfrastructure(service),
  traceColumns(service),
  pruningIndexes(service),
  ...migrations,
];

const nameOf = (migration: Migration['migrations'][number]): string => new migration().name ?? migration.name;

/** Compares the schemas of services with the code. */
export async function compareSchemas(adminUrl: string, schemas: Migration[]): Promise<SchemaDifference[]> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    const differences: SchemaDifference[] = [];
    for (const schema of schemas) differences.push(await compareOne(client, schema));
    return differences;
  } finally {
    await client.end();
  }
}

async function compareOne(client: Client, schema: Migration): Promise<SchemaDifference> {
  const { service } = schema;
  const wanted = allOf(schema).map(nameOf);
  const table = `${client.escapeIdentifier(service)}.migrations`;
  const exists = await client.query('SELECT to_regclass($1) IS NOT NULL AS found', [table]);
  const isThere = (exists.rows as { found: boolean }[])[0]?.found === true;
  const { rows } = isThere ? await client.query<{ name: string }>(`SELECT name FROM ${table}`) : { rows: [] };
  const run = new Set(rows.map(({ name }) => name));
  return {
    service,
    missing: wanted.filter((name) => !run.has(name)),
    unknown: [...run].filter((name) => !wanted.includes(name)),
  };
}

/** Runs the missing migrations of a schema as its owner role. */
async function runMissing(adminUrl: string, schema: Migration, only?: string[]): Promise<void> {
  const { service } = schema;
  const all = allOf(schema);
  const source = new DataSource({
    type: 'postgres',
    url: adminUrl,
    schema: service,
    migrations: only ? all.filter((migration) => only.includes(nameOf(migration))) : all,
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    extra: { max: 2, options: `-c role=${rolesOf(service).owner} -c synchronous_commit=off` },
  });
  await source.initialize();
  try {
    await source.runMigrations();
  } finally {
    await source.destroy();
  }
}

async function migrateOne(
  client: Client,
  adminUrl: string,
  schema: Migration & SchemaLogins,
  only?: string[],
): Promise<void> {
  try {
    await prepare(client, schema.service, schema);
    await runMissing(adminUrl, schema, only);
    await openToBackups(client, schema.service);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`the migration of ${schema.service} failed: ${reason}`, { cause: error });
  }
}

/**
 * Waits for the lock by asking again: a statement that waits for it is a transaction whose end an index that is created
 * concurrently waits for.
 */
async function lockMigrations(client: Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>('SELECT pg_try_advisory_lock(hashtext($1)) AS locked', [
      LOCK,
    ]);
    if (rows[0]?.locked) return;
    await pause(LOCK_PAUSE_MS);
  }
}

/**
 * Creates the roles and the schemas of services and runs the missing migrations of each as its owner role. Only one
 * process of the platform migrates at a time; the others wait for the lock.
 */
export async function migrateSchemas(
  adminUrl: string,
  schemas: (Migration & SchemaLogins)[],
  only?: Record<string, string[]>,
): Promise<void> {
  const client = new Client({ connectionString: adminUrl });
  await client.connect();
  try {
    requireVersion(await versionOf(client));
    await lockMigrations(client);
    for (const schema of schemas) await migrateOne(client, adminUrl, schema, only?.[schema.service]);
  } finally {
    await client.end();
  }
}
