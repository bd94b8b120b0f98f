import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readIfExists, readOrCreateSecret, writeDurably } from './private-files.js';

let folder: string;
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'private-files-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));
const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

describe('a secret in a file', () => {
  it('is made once and readable by its owner alone', async () => {
    const path = join(folder, 'key');
    expect(await readOrCreateSecret(path, () => 'first\n')).toBe('first\n');
    expect(await readOrCreateSecret(path, () => 'second\n')).toBe('first\n');
    expect(await modeOf(path)).toBe(0o600);
  });

  it('is not replaced when its file is empty or cannot be read', async () => {
    const [empty, unreadable] = [join(folder, 'empty'), join(folder, 'unreadable')];
    await writeFile(empty, '\n');
    await mkdir(unreadable);
    await expect(readOrCreateSecret(empty, () => 'new')).rejects.toThrow('empty is empty: restore it from a backup');
    await expect(readOrCreateSecret(unreadable, () => 'new')).rejects.toThrow('EISDIR');
    expect(await readFile(empty, 'utf8')).toBe('\n');
    expect(await readIfExists(join(folder, 'none'))).toBeNull();
  });
});

describe('a durable write', () => {
  it('replaces the text and the mode, and leaves no other file', async () => {
    const path = join(folder, 'file');
    await writeFile(path, 'long text', { mode: 0o600 });
    await writeDurably(path, 'new', 0o644);
    expect([await readFile(path, 'utf8'), await modeOf(path)]).toEqual(['new', 0o644]);
    await mkdir(join(folder, 'taken'));
    await expect(writeDurably(join(folder, 'taken'), 'new')).rejects.toThrow();
    expect((await readdir(folder)).sort()).toEqual(['file', 'taken']);
  });
});
