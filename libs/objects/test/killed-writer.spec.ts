import { fork } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { openObjectStore } from '@signalbox/objects';

const WRITER = fileURLToPath(new URL('./putting-process.js', import.meta.url));
const ROUNDS = 8;

/** Lets a process store objects and kills it in the middle; answers what it was told is stored. */
async function killedWriter(url: string, afterMs: number): Promise<string[]> {
  const told: string[] = [];
  const child = fork(WRITER, [url]);
  child.on('message', (key) => told.push(String(key)));
  await new Promise((resolve) => child.once('message', resolve));
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGKILL');
  await gone;
  return told;
}

describe('a writer that is killed', () => {
  it('leaves whole objects only, and what it had not finished is cleared away', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'objects-'));
    const url = pathToFileURL(folder).href;
    const told: string[] = [];
    for (let round = 0; round < ROUNDS; round++) told.push(...(await killedWriter(url, round * 9)));
    const store = openObjectStore({ OBJECT_STORE_URL: url, DATA_DIR: '' }, 'test');
    const found: string[] = [];
    for await (const key of store.listOlderThan(Date.now() + 1000)) found.push(key);
    // Reading compares the content with the hash in the key.
    for (const key of found) expect((await store.get(key))?.length).toBe(5_000_000);
    expect(found).toEqual(expect.arrayContaining(told));
    const incoming = join(folder, 'test', 'incoming');
    expect((await readdir(incoming)).length).toBeGreaterThan(0);
    await store.dropUnfinished(Date.now() - 86_400_000);
    expect((await readdir(incoming)).length).toBeGreaterThan(0);
    await store.dropUnfinished(Date.now() + 1000);
    expect(await readdir(incoming)).toEqual([]);
    await rm(folder, { recursive: true });
  });
});
