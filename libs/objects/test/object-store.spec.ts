import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openObjectStore, type ObjectStore } from '@signalbox/objects';
import { type ObjectServer, startObjectServer } from '@signalbox/testing';

const open = (url: string, namespace = 'test'): ObjectStore =>
  openObjectStore({ OBJECT_STORE_URL: url, DATA_DIR: '' }, namespace);
const DAY_MS = 86_400_000;

interface Kind {
  url(): string;
  /** Sets the write time of an object. */
  date(key: string, at: number): Promise<void>;
}

let folder: string;
let server: ObjectServer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'objects store-'));
  server = await startObjectServer();
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

const pathOf = (key: string): string => {
  const [company = '', hash = ''] = key.split('/');
  return join(folder, 'objects', 'test', company, hash.slice(0, 2), hash);
};

const KINDS: Record<string, Kind> = {
  directory: {
    url: () => pathToFileURL(join(folder, 'objects')).href,
    date: (key, at) => utimes(pathOf(key), at / 1000, at / 1000),
  },
  bucket: {
    url: () => server.urlWith(),
    date: (key, at) => {
      server.objects.get(`some/folder/test/${key}`)!.writtenAt = at;
      return Promise.resolve();
    },
  },
};

async function allOf(keys: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const key of keys) all.push(key);
  return all.sort();
}

describe.each(Object.entries(KINDS))('a store in a %s', (_, kind) => {
  let store: ObjectStore;
  beforeAll(() => (store = open(kind.url())));
  afterAll(() => store.close());

  it('returns stored bytes by the hash of their content', async () => {
    const bytes = randomBytes(5_000_000);
    const key = await store.put(12, bytes);
    expect(key).toMatch(/^12\/[0-9a-f]{64}$/);
    expect((await store.get(key))?.equals(bytes)).toBe(true);
    expect(await store.put(12, bytes)).toBe(key);
    expect(await store.put(13, bytes)).toBe(key.replace('12/', '13/'));
  });

  it('returns null for an object that does not exist', async () => {
    const key = await store.put(1, Buffer.from('short-lived'));
    await store.delete(key);
    await store.delete(key);
    expect(await store.get(key)).toBeNull();
  });

  it('refuses keys that are not in its own format', async () => {
    const bad = [
      '../../etc/passwd',
      `1/${'a'.repeat(63)}`,
      `01/${'a'.repeat(64)}`,
      `1/${'A'.repeat(64)}`,
      `/${'a'.repeat(64)}`,
    ];
    for (const key of bad) {
      await expect(store.get(key)).rejects.toThrow('not a key');
      await expect(store.delete(key)).rejects.toThrow('not a key');
    }
    await expect(store.put(-1, Buffer.from(''))).rejects.toThrow('not a key');
  });

  it('lists old objects over several pages and deletes them unless they are written again', async () => {
    const texts = Array.from({ length: 8 }, (_, at) => `text ${at}`);
    const keys = await Promise.all(texts.map((text) => store.put(99, Buffer.from(text))));
    const long = Date.now() - 2 * DAY_MS;
    for (const key of keys.slice(1)) await kind.date(key, long);
    expect(await allOf(store.listOlderThan(Date.now() - DAY_MS))).toEqual(keys.slice(1).sort());
    await store.put(99, Buffer.from('text 1'));
    const gone = await Promise.all(keys.map((key) => store.deleteOlder(key, Date.now() - DAY_MS)));
    expect(gone).toEqual([false, false, true, true, true, true, true, true]);
    expect(await store.get(keys[1]!)).not.toBeNull();
  });

  it('separates the objects of services', async () => {
    const other = open(kind.url(), 'other');
    const key = await store.put(5, Buffer.from('mine'));
    expect([await other.get(key), (await store.get(key))?.toString()]).toEqual([null, 'mine']);
    await other.close();
  });

  it('removes its probe object after a check', async () => {
    await store.check();
    expect(await allOf(store.listOlderThan(Date.now() + DAY_MS))).not.toContainEqual(expect.stringMatching(/^0\//));
  });
});

describe('a directory', () => {
  it('is accessible to the service only and contains only complete files', async () => {
    const store = open(KINDS.directory!.url());
    const key = await store.put(3, Buffer.from('private'));
    expect((await stat(pathOf(key))).mode & 0o777).toBe(0o600);
    for (const path of ['objects', 'objects/test', 'objects/test/3'])
      expect((await stat(join(folder, path))).mode & 0o777).toBe(0o700);
    expect(await readdir(join(folder, 'objects', 'test', 'incoming'))).toEqual([]);
  });

  it('that was removed is an error, not an empty store, and is not created again', async () => {
    const url = pathToFileURL(join(folder, 'unplugged')).href;
    const store = open(url);
    const key = await store.put(3, Buffer.from('something'));
    await rm(join(folder, 'unplugged'), { recursive: true });
    for (const act of [
      () => store.check(),
      () => store.get(key),
      () => store.put(3, Buffer.from('more')),
      () => allOf(store.listOlderThan(Date.now())),
    ])
      await expect(act()).rejects.toMatchObject({ kind: 'unavailable', message: expect.stringContaining('ENOENT') });
    await expect(stat(join(folder, 'unplugged'))).rejects.toThrow('ENOENT');
  });
});

describe('a bucket', () => {
  it('refuses a client with another key', async () => {
    const store = open(server.urlWith('another'));
    await expect(store.put(1, Buffer.from('x'))).rejects.toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('403'),
    });
    await expect(store.get(`1/${'a'.repeat(64)}`)).rejects.toThrow('403 SignatureDoesNotMatch');
    await expect(store.check()).rejects.toThrow('403 SignatureDoesNotMatch');
    await store.close();
  });

  it('that does not respond is a clear error, and works again afterwards', async () => {
    const store = open(server.urlWith());
    const key = await store.put(1, Buffer.from('kept'));
    await server.stop();
    await expect(store.get(key)).rejects.toMatchObject({
      kind: 'unavailable',
      message: 'the object store cannot be used (the connection was refused)',
    });
    await server.restart();
    server.slowDown(1500);
    await expect(store.check()).rejects.toThrow('no answer in time');
    server.slowDown(0);
    server.answerWith(503);
    await expect(store.get(key)).rejects.toThrow('503 SlowDown');
    server.answerWith(null);
    expect((await store.get(key))?.toString()).toBe('kept');
    await store.close();
  });

  it('that does not say when an object was written has it written again, and never deleted as an old one', async () => {
    const store = open(server.urlWith());
    const bytes = Buffer.from('of unknown age');
    const key = await store.put(1, bytes);
    const object = server.objects.get(`some/folder/test/${key}`)!;
    object.writtenAt = 0;
    server.tellDates(false);
    expect(await store.deleteOlder(key, Date.now())).toBe(false);
    await store.put(1, bytes);
    server.tellDates(true);
    expect(server.objects.get(`some/folder/test/${key}`)!.writtenAt).toBeGreaterThan(0);
    await store.close();
  });

  it('reports objects whose content has changed', async () => {
    const store = open(server.urlWith());
    const key = await store.put(1, Buffer.from('right'));
    server.objects.get(`some/folder/test/${key}`)!.bytes = Buffer.from('wrong');
    await expect(store.get(key)).rejects.toThrow('damaged');
    await store.close();
  });
});
