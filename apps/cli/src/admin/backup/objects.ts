import { isWhole, KEY, type ObjectBackend, backendOf } from '@signalbox/objects';
import type { Settings } from '../../settings/settings.js';
import { ChunkWriter, readLines } from './chunks.js';
import type { BackupObjects } from './manifest.js';
import { type BackupStore, TRANSFER_MS } from './backup-store.js';
import type { Progress } from './sources.js';

/** Each is up to 64 MiB, and twice that on its way from and to a bucket, in a container of 640 MiB. */
export const AT_ONCE = 4;

const fileOf = (service: string, key: string): string => `objects/${service}/${key}`;

async function withStore<T>(
  settings: Settings,
  service: string,
  work: (store: ObjectBackend) => Promise<T>,
): Promise<T> {
  const address = { OBJECT_STORE_URL: settings.objectStoreUrl, DATA_DIR: settings.dataDir };
  const store = backendOf(address, service, TRANSFER_MS);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function forEach<T>(entries: AsyncIterable<T>, act: (entry: T) => Promise<void>): Promise<void> {
  const shared = entries[Symbol.asyncIterator]();
  const worker = async (): Promise<void> => {
    for (let next = await shared.next(); !next.done; next = await shared.next()) await act(next.value);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Throws when the object is missing or damaged. */
export async function readObject(from: BackupStore, service: string, key: string): Promise<Buffer> {
  const name = fileOf(service, key);
  const bytes = await from.read(name);
  if (bytes === null) throw new Error(`${name} is missing`);
  if (!KEY.test(key) || !isWhole(key, bytes)) throw new Error(`${name} is damaged`);
  return bytes;
}

/**
 * An object that is deleted meanwhile is left out, a damaged one is an error.
 * @param chunkBytes size of each file with keys, before compression
 */
export function backUpObjects(
  settings: Settings,
  service: string,
  to: BackupStore,
  progress: Progress,
  chunkBytes?: number,
): Promise<BackupObjects> {
  return withStore(settings, service, async (store) => {
    const keys = new ChunkWriter(to, `objects/${service}.keys`, chunkBytes);
    let [count, size] = [0, 0];
    await forEach(store.list(), async ({ name: key }) => {
      if (!KEY.test(key)) return;
      const bytes = await store.read(key);
      if (bytes === null) return;
      if (!isWhole(key, bytes)) throw new Error(`the object ${key} of ${service} is damaged`);
      await to.write(fileOf(service, key), bytes);
      await keys.append(Buffer.from(`${key}\n`));
      [count, size] = [count + 1, size + bytes.length];
      progress.at(`objects of ${service}: ${count}`);
    });
    return { service, count, bytes: size, keys: await keys.end() };
  });
}

export async function forEachObject(
  from: BackupStore,
  { service, keys, count }: BackupObjects,
  act: (key: string, bytes: Buffer) => Promise<void>,
): Promise<void> {
  let seen = 0;
  await forEach(readLines(from, keys), async (key) => {
    await act(key, await readObject(from, service, key));
    seen += 1;
  });
  if (seen !== count) throw new Error(`the backup has ${seen} objects of ${service} in place of ${count}`);
}

export const restoreObjects = (
  settings: Settings,
  from: BackupStore,
  objects: BackupObjects,
  progress: Progress,
): Promise<void> =>
  withStore(settings, objects.service, async (store) => {
    await forEachObject(from, objects, async (key, bytes) => {
      await store.write(key, bytes);
      progress.at(`objects of ${objects.service}: ${key}`);
    });
  });
