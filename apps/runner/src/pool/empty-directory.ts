import { lstatSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const READ_ONLY = 0o500;

/** Shared by the runners of one user: a directory per process would be left behind by every runner that is killed. */
export function emptyDirectory(parent = tmpdir()): string {
  const user = process.getuid?.() ?? 0;
  const shared = join(parent, `scripts-of-${user}`);
  mkdirSync(shared, { recursive: true, mode: READ_ONLY });
  const found = lstatSync(shared);
  // Another user may have created it, or a link, first.
  const isOwn = found.isDirectory() && (process.getuid === undefined || found.uid === user);
  return isOwn && readdirSync(shared).length === 0 ? shared : mkdtempSync(join(parent, 'scripts-'));
}
