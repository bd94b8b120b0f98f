import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { backendOf } from '@signalbox/objects';
import { startObjectServer } from '@signalbox/testing';
import { readLines } from '../src/admin/backup/chunks.js';
import { backUpObjects, forEachObject } from '../src/admin/backup/objects.js';
import { openBackupStore } from '../src/admin/backup/backup-store.js';
import { platformOf, Progress } from '../src/admin/backup/sources.js';
import { readSettings } from '../src/settings/settings.js';

const OBJECTS = 400;
/** Room for the keys of a few objects, so that files of keys are written while others are read. */
const CHUNK_BYTES = 200;

const keyOf = (text: string): string => `1/${createHash('sha256').update(text).digest('hex')}`;

describe('the objects of a backup', () => {
  let folder: string;
  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'signalbox-objects-'))));
  afterEach(() => rm(folder, { recursive: true }));

  it('are each listed once, in files of different names, however many are copied at the same time', async () => {
    const settings = readSettings({ DATA_DIR: folder });
    const source = backendOf({ OBJECT_STORE_URL: settings.objectStoreUrl, DATA_DIR: folder }, 'traffic');
    const texts = Array.from({ length: OBJECTS }, (_, n) => `object ${n}`);
    for (const text of texts) await source.write(keyOf(text), Buffer.from(text));
    await source.close();

    const backup = openBackupStore(join(folder, 'backup'));
    const objects = await backUpObjects(settings, 'traffic', backup, new Progress(), CHUNK_BYTES);
    const names = objects.keys.map(({ name }) => name);
    expect(objects.count).toBe(OBJECTS);
    expect(names.length).toBeGreaterThan(50);
    expect(names).toEqual(names.map((_, n) => `objects/traffic.keys.${String(n + 1).padStart(6, '0')}.gz`));
    const listed: string[] = [];
    for await (const key of readLines(backup, objects.keys)) listed.push(key);
    expect(listed.sort()).toEqual(texts.map(keyOf).sort());
    const read: string[] = [];
    await forEachObject(backup, objects, (_, bytes) => Promise.resolve(void read.push(bytes.toString())));
    expect(read.sort()).toEqual(texts.sort());
  }, 60_000);

  it('are those of the platform that runs on the data directory, wherever they are', async () => {
    const endpoints = {
      database_url: 'postgres://o:p@db:5432/signalbox',
      object_store_url: 's3://A:B@store.example/bucket',
    };
    await mkdir(join(folder, 'run'));
    await writeFile(join(folder, 'run/endpoints.json'), JSON.stringify(endpoints));
    await writeFile(join(folder, 'master-key'), 'k'.repeat(64));
    const { databaseUrl, settings } = await platformOf(readSettings({ DATA_DIR: folder }));
    expect([databaseUrl, settings.objectStoreUrl]).toEqual([endpoints.database_url, endpoints.object_store_url]);
    const { settings: given } = await platformOf(
      readSettings({ DATA_DIR: folder, DATABASE_URL: 'postgres://o:p@other:5432/signalbox' }),
    );
    expect(given.objectStoreUrl).toBe(`file:${folder}/objects`);
  });

  it('may take longer on their way to a bucket than a call of a service may wait', async () => {
    const bucket = await startObjectServer();
    const backup = openBackupStore(bucket.urlWith());
    try {
      bucket.slowDown(8000);
      await backup.write('a', Buffer.from('slow'));
      expect((await backup.read('a'))?.toString()).toBe('slow');
    } finally {
      await backup.close();
      await bucket.stop();
    }
  }, 60_000);
});
