import { fork } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { openObjectStore } from '@signalbox/objects';

const WRITER = fileURLToPath(new URL('./putting-process.js', import.meta.url));
const ROUNDS = 4;
/** The file that is seen is often complete when the kill arrives. */
const MAX_ROUNDS = 40;

/** Kills a process while it stores objects; returns the keys that it reported as stored. */
async function killedWriter(url: string, ready: () => Promise<unknown>): Promise<string[]> {
  const stored: string[] = [];
  const child = fork(WRITER, [url]);
  child.on('message', (key) => stored.push(String(key)));
  await new Promise((resolve) => child.once('message', resolve));
  await ready();
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
  return stored;
}

describe('a writer that is killed', () => {
  it('leaves only complete objects, and its unfinished ones are removed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'objects-'));
    const url = pathToFileURL(folder).href;
    const stored: string[] = [];
    const incoming = join(folder, 'test', 'incoming');
    const unfinished = async (): Promise<void> => {
      while ((await readdir(incoming)).length === 0);
    };
    for (let round = 0; round < MAX_ROUNDS; round++) {
      if (round >= ROUNDS && (await readdir(incoming)).length > 0) break;
      stored.push(...(await killedWriter(url, round < ROUNDS ? () => pause(round * 18) : unfinished)));
    }
    const store = openObjectStore({ OBJECT_STORE_URL: url, DATA_DIR: '' }, 'test');
    const found: string[] = [];
    for await (const key of store.listOlderThan(Date.now() + 1000)) found.push(key);
    // A read compares the content with the hash in the key.
    for (const key of found) expect((await store.get(key))?.length).toBe(5_000_000);
    expect(found).toEqual(expect.arrayContaining(stored));
    expect((await readdir(incoming)).length).toBeGreaterThan(0);
    await store.dropUnfinished(Date.now() - 86_400_000);
    expect((await readdir(incoming)).length).toBeGreaterThan(0);
    await store.dropUnfinished(Date.now() + 1000);
    expect(await readdir(incoming)).toEqual([]);
    await rm(folder, { recursive: true });
  }, 120_000);
});
