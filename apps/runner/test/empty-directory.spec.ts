import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { emptyDirectory } from '../src/pool/empty-directory.js';

let parent: string;
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'empty-'));
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

describe('the directory of child processes', () => {
  it('is the same one for every runner, so that killed ones leave nothing behind', () => {
    const first = emptyDirectory(parent);
    expect(emptyDirectory(parent)).toBe(first);
    expect(readdirSync(parent)).toHaveLength(1);
  });

  it('is another one when the shared one is not empty', () => {
    const shared = emptyDirectory(parent);
    writeFileSync(join(shared, 'file'), '');
    const other = emptyDirectory(parent);
    expect(other).not.toBe(shared);
    expect(readdirSync(other)).toEqual([]);
  });

  it('is another one when the name belongs to a link', () => {
    const name = emptyDirectory(parent);
    rmSync(name, { recursive: true });
    const target = mkdtempSync(join(parent, 'target-'));
    symlinkSync(target, name);
    expect(emptyDirectory(parent)).not.toBe(name);
  });
});
