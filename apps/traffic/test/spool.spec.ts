import { appendFile, mkdtemp, readdir, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Spool } from '../src/request-log/spool.js';
import { SmallDisk } from './small-disk.js';

const nothing = () => undefined;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'traffic-spool-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Lets all processes of a folder look as if they had given no sign of life for a minute. */
async function freeze(): Promise<void> {
  const then = Date.now() / 1000 - 60;
  for (const name of await readdir(folder)) if (name.endsWith('.alive')) await utimes(join(folder, name), then, then);
}

async function drained(spool: Spool): Promise<string[]> {
  const taken: string[] = [];
  for (let batch = await spool.next(1000); batch; batch = await spool.next(1000)) {
    taken.push(...batch.lines);
    await batch.release();
  }
  return taken;
}

describe('the spool', () => {
  it('gives back every line in order, across files, whatever the batch size', async () => {
    const spool = await Spool.open(folder, nothing);
    const lines = Array.from({ length: 60 }, (_, n) => `${n} ${'x'.repeat(n % 7 === 0 ? 1_000_000 : 10)}`);
    await Promise.all(lines.map((line) => spool.append(line)));
    await spool.close();
    const next = await Spool.open(folder, nothing);
    await next.append('last');
    expect(await drained(next)).toEqual([...lines, 'last']);
    await next.close();
    expect(await readdir(folder)).toEqual([]);
  });

  it('writes a line that is appended in the moment in which the one before is written', async () => {
    const spool = await Spool.open(folder, nothing);
    for (let n = 0; n < 20; n++) await spool.append(`${n}`);
    expect(await drained(spool)).toHaveLength(20);
    await spool.close();
  });

  it('takes nothing from a live process, and everything but a torn line from a dead one', async () => {
    const one = await Spool.open(folder, nothing);
    await one.append('one');
    const other = await Spool.open(folder, nothing);
    expect(await other.look()).toBe(0);
    await one.close();
    const [file] = (await readdir(folder)).filter((name) => name.endsWith('.log'));
    await appendFile(join(folder, file ?? ''), 'torn');
    expect(await other.look()).toBe(1);
    expect(await drained(other)).toEqual(['one']);
    await other.close();
  });

  it('loses nothing of a process that was frozen while another one took over its file', async () => {
    const frozen = await Spool.open(folder, nothing);
    await frozen.append('before');
    await freeze();
    const other = await Spool.open(folder, nothing);
    expect(await drained(other)).toEqual(['before']);
    // The frozen process continues, and dies before it can store what it appends.
    await frozen.append('after');
    await freeze();
    const third = await Spool.open(folder, nothing);
    expect(await drained(third)).toEqual(['after']);
  });

  it('keeps the lines that nothing has taken when it is closed', async () => {
    const spool = await Spool.open(folder, nothing);
    await spool.append('one');
    await spool.append('two');
    const batch = await spool.next(1000);
    expect(batch?.lines).toEqual(['one', 'two']);
    await spool.close();
    const next = await Spool.open(folder, nothing);
    expect(await drained(next)).toEqual(['one', 'two']);
    await next.close();
  });
});

const disk = SmallDisk.mount(4);
(disk ? describe : describe.skip)('the spool on a full disk', () => {
  afterAll(() => disk!.unmount());

  it('rejects a line that it cannot write, leaves no part of it, and continues when there is room', async () => {
    const failures: unknown[] = [];
    const spool = await Spool.open(disk!.dir, (error) => failures.push(error));
    await spool.append('small');
    await disk!.fill();
    await expect(spool.append('x'.repeat(100_000))).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(failures.length).toBeGreaterThan(0);
    expect(spool.isFull).toBe(true);
    const [file] = (await readdir(disk!.dir)).filter((name) => name.endsWith('.log'));
    expect((await stat(join(disk!.dir, file ?? ''))).size).toBe('small\n'.length);
    await disk!.free();
    await spool.append('after');
    expect(await drained(spool)).toEqual(['small', 'after']);
    await spool.close();
  });
});
