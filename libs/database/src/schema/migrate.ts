import { setTimeout as pause } from 'node:timers/promises';
import { Client } from 'pg';
import { DataSource, type MigrationInterface } from 'typeorm';
import { KEEP_ALIVE } from '../keep-alive.js';
import { requireVersion, versionOf } from '../require-database.js';
import { infrastructure } from './infrastructure.js';
import { ensureKeyedLogins, ensureRole, type KeyedLogins, passwordOf } from './login-roles.js';
import { failingWork, failingWorkIndex } from './failing-work.js';
import { pruningIndexes } from './pruning-indexes.js';
import { openToBackups } from './open-to-backups.js';
import { rolesOf } from './schema.js';
import { schemaRequirements } from './schema-requirements.js';
import { traceColumns } from './trace-columns.js';
import { streamInfrastructure } from './stream-infrastructure.js';
import { workClaimIndexes, workTable } from './work-table.js';

export interface Migration {
  service: string;
  migrations: (new () => MigrationInterface)[];
}

export interface SchemaLogins {
  runtimeUrl: string;
  workerUrl: string;
  /** Further logins to the same roles, one pair per master key. */
  keyed?: KeyedLogins;
}

/** Input of the migration process: modules that export a `Migration` as `schema`. */
export interface MigrationTask {
  adminUrl: string;
  schemas: (SchemaLogins & { module: string })[];
  /** Compares only; nothing is changed. */
  compares?: boolean;
  /** By service, the only migrations to run: those that the schemas had when a backup was taken. */
  only?: Record<string, string[]>;
}

export interface SchemaDifference {
  service: string;
  /** In the code, not run. */
  missing: string[];
  /** Run by another release, not in the code. */
  unknown: string[];
}

export interface MigrationResult {
  error?: string;
  differences?: SchemaDifference[];
}

/**
 * A migration that removes what earlier code uses. Code without the migration `requires` refuses to start from then on.
 */
export interface BreakingMigration extends MigrationInterface {
  readonly requires: string;
}

const LOCK = 'signalbox migrations';
const LOCK_PAUSE_MS = 200;
const LOCK_WAIT_MS = 3000;
const LOCK_ATTEMPTS = 20;
const LOCK_NOT_AVAILABLE = '55P03';

async function prepare(client: Client, service: string, { runtimeUrl, workerUrl, keyed }: SchemaLogins): Promise<void> {
  const { owner, runtime, worker } = rolesOf(service);
  await ensureRole(client, owner, null);
  await ensureRole(client, runtime, passwordOf(runtimeUrl));
  await ensureRole(client, worker, passwordOf(workerUrl));
  if (keyed) await ensureKeyedLogins(client, { runtime, worker }, keyed);
  await client.query(`GRANT ${client.escapeIdentifier(owner)} TO CURRENT_USER`);
  const schema = client.escapeIdentifier(service);
  await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema} AUTHORIZATION ${client.escapeIdentifier(owner)}`);
  for (const role of [runtime, worker])
    await client.query(`GRANT USAGE ON SCHEMA ${schema} TO ${client.escapeIdentifier(role)}`);
}

export const allMigrationsOf = ({ service, migrations }: Migration): Migration['migrations'] => [
  infrastructure(service),
  workTable(service),
  workClaimIndexes(service),
  streamInfrastructure(service),
  traceColumns(service),
  pruningIndexes(service),
  schemaRequirements(service),
  failingWork(service),
  failingWorkIndex(service),
  ...migrations,
];

export const nameOfMigration = (migration: Migration['migrations'][number]): string =>
  new migration().name ?? migration.name;

export async function compareSchemas(adminUrl: string, schemas: Migration[]): Promise<SchemaDifference[]> {
  const client = new Client({ connectionString: adminUrl, ...KEEP_ALIVE });
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
  const wanted = allMigrationsOf(schema).map(nameOfMigration);
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

async function runMissing(adminUrl: string, schema: Migration, only?: string[]): Promise<void> {
  const { service } = schema;
  const all = allMigrationsOf(schema);
  const source = new DataSource({
    type: 'postgres',
    url: adminUrl,
    schema: service,
    migrations: only ? all.filter((migration) => only.includes(nameOfMigration(migration))) : all,
    migrationsTableName: 'migrations',
    migrationsTransactionMode: 'each',
    // Calls queue behind a statement that waits for a lock, so it gives up soon and is retried.
    extra: {
      ...KEEP_ALIVE,
      max: 2,
      options: `-c role=${rolesOf(service).owner} -c synchronous_commit=off -c lock_timeout=${LOCK_WAIT_MS}`,
    },
  });
  await source.initialize();
  try {
    await source.runMigrations();
  } finally {
    await source.destroy();
  }
}

/** Safe to repeat: each migration is one transaction or idempotent. */
async function withLockRetries(act: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await act();
    } catch (error) {
      if ((error as { code?: string }).code !== LOCK_NOT_AVAILABLE || attempt === LOCK_ATTEMPTS) throw error;
      await pause(LOCK_PAUSE_MS * attempt);
    }
}

async function noteRequirements(client: Client, schema: Migration): Promise<void> {
  const { service } = schema;
  const { owner, runtime } = rolesOf(service);
  const table = (name: string): string => `${client.escapeIdentifier(service)}.${name}`;
  const { rows } = await client.query<{ name: string }>(`SELECT name FROM ${table('migrations')}`);
  const run = new Set(rows.map(({ name }) => name));
  const required = allMigrationsOf(schema)
    .map((migration) => new migration() as Partial<BreakingMigration>)
    .filter(({ name, requires }) => requires !== undefined && run.has(name ?? ''));
  await client.query(`SET ROLE ${client.escapeIdentifier(owner)}`);
  try {
    await client.query(`GRANT SELECT ON ${table('migrations')} TO ${client.escapeIdentifier(runtime)}`);
    for (const { requires } of required)
      await client.query(`INSERT INTO ${table('schema_requirements')} (name) VALUES ($1) ON CONFLICT DO NOTHING`, [
        requires,
      ]);
  } finally {
    await client.query('RESET ROLE');
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
    await withLockRetries(() => runMissing(adminUrl, schema, only));
    await noteRequirements(client, schema);
    await withLockRetries(() => openToBackups(client, schema.service));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`the migration of ${schema.service} failed: ${reason}`, { cause: error });
  }
}

/** Polls for the lock: a waiting statement would be an open transaction, for which CREATE INDEX CONCURRENTLY waits. */
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
 * Creates roles and schemas and runs missing migrations as the owner role of each schema. One process at a time; the
 * others wait for the lock.
 */
export async function migrateSchemas(
  adminUrl: string,
  schemas: (Migration & SchemaLogins)[],
  only?: Record<string, string[]>,
): Promise<void> {
  const client = new Client({ connectionString: adminUrl, ...KEEP_ALIVE });
  await client.connect();
  try {
    requireVersion(await versionOf(client));
    await lockMigrations(client);
    for (const schema of schemas) await migrateOne(client, adminUrl, schema, only?.[schema.service]);
  } finally {
    await client.end();
  }
}
