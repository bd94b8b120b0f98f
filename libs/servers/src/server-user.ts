import { realpath, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The unprivileged user of a server process. */
export interface ServerUser {
  uid: number;
  gid: number;
}

const NOBODY = 65534;

/** The user of the Postgres process when this process is root (Postgres refuses to run as root); null otherwise. */
export function serverUser(): ServerUser | null {
  return process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : null;
}

/** Returns the first directory on a path that a user may not traverse; null when all are open. */
export async function unreachableParent(path: string, uid: number): Promise<string | null> {
  for (let directory = await realpath(path); ; directory = dirname(directory)) {
    const { mode, uid: owner } = await stat(directory);
    const passable = owner === uid ? mode & 0o100 : mode & 0o001;
    if (!passable) return directory;
    if (directory === dirname(directory)) return null;
  }
}
