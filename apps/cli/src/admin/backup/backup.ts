import { releaseOf } from '@signalbox/platform';
import type { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Settings } from '../../settings/settings.js';
import type { Options } from '../../usage.js';
import {
  becomeOwner,
  migrationsOf,
  partitionsOf,
  quoted,
  requireVisible,
  schemaExists,
  sequencesOf,
  type TableColumns,
  tablesOf,
} from './catalog.js';
import { ChunkWriter } from './chunks.js';
import { keyFingerprints } from './fingerprints.js';
import { type BackupSchema, type BackupTable, FORMAT, hasManifest, rowsOf, writeManifest } from './manifest.js';
import { backUpObjects } from './objects.js';
import type { BackupStore } from './backup-store.js';
import { OWNERS, platformOf, Progress, STORING, withPlace, withSession } from './sources.js';

class TableBackup {
  constructor(
    private readonly client: Client,
    private readonly to: BackupStore,
    private readonly progress: Progress,
  ) {}

  async schemas(): Promise<BackupSchema[]> {
    const { client } = this;
    // One snapshot, so that rows of all schemas belong together; no writer waits for it.
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const schemas: BackupSchema[] = [];
    for (const { name } of OWNERS) schemas.push(await this.schema(name));
    await client.query('COMMIT');
    return schemas;
  }

  private async schema(service: string): Promise<BackupSchema> {
    const { client } = this;
    if (!(await schemaExists(client, service)))
      throw new Error(`there is no schema of ${service}: is this its database?`);
    await becomeOwner(client, service);
    await requireVisible(client, service);
    const [migrations, partitions] = [await migrationsOf(client, service), await partitionsOf(client, service)];
    const tables: BackupTable[] = [];
    for (const table of await tablesOf(client, service)) tables.push(await this.table(service, table));
    // Sequences are outside the snapshot: read after the rows, they are beyond all of them.
    return { service, migrations, partitions, sequences: await sequencesOf(client, service), tables };
  }

  private async table(service: string, { name, columns }: TableColumns): Promise<BackupTable> {
    const { client } = this;
    const list = columns.map((column) => client.escapeIdentifier(column)).join(', ');
    const rows = client.query(copyTo(`COPY (SELECT ${list} FROM ${quoted(client, service, name)}) TO STDOUT`));
    const writer = new ChunkWriter(this.to, `postgres/${service}.${name}`);
    for await (const bytes of rows) {
      await writer.append(bytes as Buffer);
      this.progress.at(`${service}.${name}`);
    }
    return { name, columns, rows: rows.rowCount, files: await writer.end() };
  }
}

/** The platform may be running: its tables as of one moment, then its objects. */
export async function backUp(options: Options, settings: Settings): Promise<unknown> {
  const { databaseUrl, masterKey, settings: ofPlatform } = await platformOf(settings);
  return withPlace(options, 'to', settings, async (to) => {
    if (await hasManifest(to)) throw new Error('there is a backup already: name another place');
    const progress = new Progress();
    const taken_at = new Date().toISOString();
    progress.say('reading the tables');
    const schemas = await withSession(databaseUrl, (client) => new TableBackup(client, to, progress).schemas());
    // Objects are written before the rows that name them, so those of the snapshot exist.
    progress.say('reading the objects');
    const objects = [];
    for (const service of STORING) objects.push(await backUpObjects(ofPlatform, service, to, progress));
    const keys = keyFingerprints(masterKey);
    const manifest = { format: FORMAT, release: releaseOf(), taken_at, keys, schemas, objects };
    await writeManifest(to, manifest);
    return summaryOf(manifest);
  });
}

export function summaryOf(manifest: Parameters<typeof writeManifest>[1]): object {
  const { release, taken_at, schemas, objects, keys } = manifest;
  return {
    release,
    taken_at,
    tables: schemas.flatMap(({ tables }) => tables).length,
    rows: rowsOf(manifest),
    objects: objects.reduce((sum, { count }) => sum + count, 0),
    keys,
  };
}
