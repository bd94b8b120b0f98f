import { realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The unprivileged user a server runs as. */
export interface ServerUser {
  uid: number;
  gid: number;
}

const NOBODY = 65534;

/** The user Postgres runs as when we are root (it refuses to run as root itself); null when we are not. */
export function serverUser(): ServerUser | null {
  return process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : null;
}

/** Names the first directory above (or at) a path that a user may not pass through, or null when all are open. */
export async function unreachableParent(path: string, uid: number): Promise<string | null> {
  for (let directory = await realpath(path); ; directory = dirname(directory)) {
    const { mode, uid: owner } = await stat(directory);
    const passable = owner === uid ? mode & 0o100 : mode & 0o001;
    if (!passable) return directory;
    if (directory === dirname(directory)) return null;
  }
}
