import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The locations of nats-server to search in addition to the usual directories and the repository's `.cache/`. */
export interface NatsSearch {
  /** An explicit executable (the setting NATS_SERVER_BIN); nothing else is tried when it is given. */
  binary?: string;
  /** A search path as in PATH. */
  path?: string;
  /** The directory into which the preparation puts, or links, the server it found. */
  cacheDir?: string;
}

const USUAL_PATH = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin'];
const CACHE = fileURLToPath(new URL('../../../../.cache', import.meta.url));

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Finds a nats-server executable; fails with a sentence that names the ways to get one. */
export function findNatsServer({ binary, path = '', cacheDir = CACHE }: NatsSearch = {}): string {
  if (binary !== undefined) {
    if (isExecutable(binary)) return binary;
    throw new Error(`NATS_SERVER_BIN names ${binary}, which is not an executable file`);
  }
  const directories = [...path.split(delimiter).filter(Boolean), ...USUAL_PATH, cacheDir];
  const found = directories.map((directory) => join(directory, 'nats-server')).find(isExecutable);
  if (found !== undefined) return found;
  throw new Error(
    'no nats-server was found: install it on the PATH, name it in NATS_SERVER_BIN, or set NATS_URL to a running one',
  );
}
