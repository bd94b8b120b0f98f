import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { ensureDatabase } from '../../launcher/migrations/migrations.js';
import { migrationDifferences, runMigrations } from '../../launcher/migrations/run-migrations.js';
import type { Platform } from '../../launcher/service-environment.js';
import type { Settings } from '../../settings/settings.js';
import type { Options } from '../../usage.js';
import { summaryOf } from './backup.js';
import { becomeOwner, quoted, referencesOf, schemaExists } from './catalog.js';
import { readChunks } from './chunks.js';
import { keyFingerprints } from './fingerprints.js';
import { type BackupSchema, type BackupTable, type Manifest, readManifest } from './manifest.js';
import { restoreObjects } from './objects.js';
import type { BackupStore } from './backup-store.js';
import { OWNERS, platformOf, Progress, withPlace, withSession } from './sources.js';

/** In one transaction: a restore that fails leaves the schemas empty. */
class TableRestore {
  constructor(
    private readonly client: Client,
    private readonly from: BackupStore,
    private readonly progress: Progress,
  ) {}

  async schemas(schemas: readonly BackupSchema[]): Promise<void> {
    await this.client.query('BEGIN');
    for (const schema of schemas) await this.schema(schema);
    await this.client.query('COMMIT');
    await this.client.query('ANALYZE');
  }

  private async schema(schema: BackupSchema): Promise<void> {
    const { client } = this;
    const { service, tables } = schema;
    await becomeOwner(client, service);
    await client.query('SET CONSTRAINTS ALL IMMEDIATE');
    await this.partitions(schema);
    const names = tables.map(({ name }) => quoted(client, service, name));
    // Triggers derive rows that the backup has too; row security refuses COPY. Both are restored at the end.
    for (const name of names)
      await client.query(`ALTER TABLE ${name} DISABLE TRIGGER USER, NO FORCE ROW LEVEL SECURITY`);
    // Tables refer to each other in circles, so foreign keys are dropped and checked once all rows exist.
    const references = await referencesOf(client, service);
    for (const { table, name } of references)
      await client.query(
        `ALTER TABLE ${quoted(client, service, table)} DROP CONSTRAINT ${client.escapeIdentifier(name)}`,
      );
    await client.query(`TRUNCATE ${names.join(', ')}`);
    for (const table of tables) await this.table(service, table);
    for (const { table, name, definition } of references)
      await client.query(
        `ALTER TABLE ${quoted(client, service, table)} ADD CONSTRAINT ${client.escapeIdentifier(name)} ${definition}`,
      );
    const forced = await this.securedTables(service);
    for (const name of names)
      await client.query(
        `ALTER TABLE ${name} ENABLE TRIGGER USER${forced.has(name) ? ', FORCE ROW LEVEL SECURITY' : ''}`,
      );
    for (const [name, value] of Object.entries(schema.sequences))
      await client.query('SELECT setval($1::regclass, $2)', [quoted(client, service, name), value]);
  }

  private async securedTables(service: string): Promise<Set<string>> {
    const { rows } = await this.client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = $1::regnamespace AND relrowsecurity`,
      [this.client.escapeIdentifier(service)],
    );
    return new Set(rows.map(({ name }) => quoted(this.client, service, name)));
  }

  private async partitions({ service, partitions }: BackupSchema): Promise<void> {
    const { client } = this;
    for (const { parent, name, bound } of partitions) {
      const table = quoted(client, service, name);
      const { rows } = await client.query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [table]);
      if (rows[0]?.found) continue;
      await client.query(`CREATE TABLE ${table} PARTITION OF ${quoted(client, service, parent)} ${bound}`);
      await client.query(`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY`);
    }
  }

  private async table(service: string, { name, columns, rows, files }: BackupTable): Promise<void> {
    const { client } = this;
    this.progress.at(`${service}.${name}: ${rows} rows`);
    const list = columns.map((column) => client.escapeIdentifier(column)).join(', ');
    const into = client.query(copyFrom(`COPY ${quoted(client, service, name)} (${list}) FROM STDIN`));
    await pipeline(Readable.from(readChunks(this.from, files)), into);
    if (into.rowCount !== rows)
      throw new Error(`${service}.${name} has ${into.rowCount} rows in place of ${rows}: the backup is damaged`);
  }
}

/** Throws for a backup of a newer release, whose schemas this one does not know. */
async function requireKnown(platform: Platform, { schemas, release }: Manifest, logFile: string): Promise<void> {
  const compared = await migrationDifferences(platform, OWNERS, logFile, new AbortController().signal);
  for (const { service, missing } of compared) {
    const unknown = schemas
      .find((each) => each.service === service)
      ?.migrations.filter((name) => !missing.includes(name));
    if (unknown && unknown.length > 0)
      throw new Error(
        `the backup is of release ${release}, which has ${unknown[0]} in ${service}: restore it with that release`,
      );
  }
}

function requireKey(masterKey: string, { keys }: Manifest): void {
  const own = keyFingerprints(masterKey);
  if (own.MASTER_KEY !== keys.MASTER_KEY)
    throw new Error(
      `MASTER_KEY has the fingerprint ${own.MASTER_KEY}, that of the backup has ${keys.MASTER_KEY}: with another one no key and no credential can be used`,
    );
}

async function requireEmpty(url: string): Promise<void> {
  await withSession(url, async (client) => {
    for (const { name } of OWNERS)
      if (await schemaExists(client, name))
        throw new Error(`the database has a schema ${name}: a backup is restored into an empty database only`);
  });
}

/** Into an empty database and object store; services are started afterwards. */
export async function restore(options: Options, settings: Settings): Promise<unknown> {
  const platform = await platformOf(settings);
  const target = new URL(platform.databaseUrl);
  const databaseUrl = await ensureDatabase(platform.databaseUrl, decodeURIComponent(target.pathname.slice(1)));
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-restore-'));
  const logFile = join(folder, 'log');
  const { signal } = new AbortController();
  try {
    return await withPlace(options, 'from', settings, async (from) => {
      const progress = new Progress();
      const manifest = await readManifest(from);
      requireKey(platform.masterKey, manifest);
      await requireEmpty(databaseUrl);
      await requireKnown(platform, manifest, logFile);
      progress.say('writing the objects');
      for (const objects of manifest.objects) await restoreObjects(platform.settings, from, objects, progress);
      progress.say('making the roles and schemas');
      const only = Object.fromEntries(manifest.schemas.map(({ service, migrations }) => [service, migrations]));
      await runMigrations(platform, OWNERS, logFile, signal, only);
      progress.say('writing the tables');
      await withSession(databaseUrl, (client) => new TableRestore(client, from, progress).schemas(manifest.schemas));
      await runMigrations(platform, OWNERS, logFile, signal);
      return summaryOf(manifest);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
