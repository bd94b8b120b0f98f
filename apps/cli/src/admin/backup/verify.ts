import type { Settings } from '../../settings/settings.js';
import type { Options } from '../../usage.js';
import { summaryOf } from './backup.js';
import { readChunks } from './chunks.js';
import { type BackupTable, type Manifest, readManifest } from './manifest.js';
import { forEachObject } from './objects.js';
import type { BackupStore } from './backup-store.js';
import { Progress, withPlace } from './sources.js';

const NEWLINE = 10;

/** A row is a line, because line breaks inside values are escaped. */
async function countRows(from: BackupStore, { files }: BackupTable): Promise<number> {
  let rows = 0;
  for await (const bytes of readChunks(from, files)) for (const byte of bytes) if (byte === NEWLINE) rows += 1;
  return rows;
}

async function verifyTables(from: BackupStore, { schemas }: Manifest, progress: Progress): Promise<void> {
  for (const { service, tables } of schemas)
    for (const table of tables) {
      progress.at(`${service}.${table.name}`);
      const rows = await countRows(from, table);
      if (rows !== table.rows) throw new Error(`${service}.${table.name} has ${rows} rows in place of ${table.rows}`);
    }
}

/** Needs neither Postgres nor a key. */
export function verify(options: Options, settings: Settings): Promise<unknown> {
  return withPlace(options, 'from', settings, async (from) => {
    const progress = new Progress();
    const manifest = await readManifest(from);
    await verifyTables(from, manifest, progress);
    for (const objects of manifest.objects) await forEachObject(from, objects, () => Promise.resolve());
    return summaryOf(manifest);
  });
}
