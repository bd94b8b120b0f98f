import { realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface ServerUser {
  uid: number;
  gid: number;
}

const NOBODY = 65534;

/** Postgres refuses to run as root; null when this process is not root. */
export function serverUser(): ServerUser | null {
  return process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : null;
}

/** The first directory on a path that the user may not traverse; null when there is none. */
export async function unreachableParent(path: string, uid: number): Promise<string | null> {
  for (let directory = await realpath(path); ; directory = dirname(directory)) {
    const { mode, uid: owner } = await stat(directory);
    const passable = owner === uid ? mode & 0o100 : mode & 0o001;
    if (!passable) return directory;
    if (directory === dirname(directory)) return null;
  }
}
