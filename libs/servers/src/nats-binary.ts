import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** In addition to the usual directories and the repository's `.cache/`. */
export interface NatsSearch {
  /** NATS_SERVER_BIN; nothing else is tried when it is given. */
  binary?: string;
  path?: string;
}

const USUAL_PATH = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin'];
/** Where the bootstrap puts, or links, the server it found. */
const CACHE = fileURLToPath(new URL('../../../../.cache', import.meta.url));

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

export function findNatsServer({ binary, path = '' }: NatsSearch = {}): string {
  if (binary !== undefined) {
    if (isExecutable(binary)) return binary;
    throw new Error(`NATS_SERVER_BIN names ${binary}, which is not an executable file`);
  }
  const directories = [...path.split(delimiter).filter(Boolean), ...USUAL_PATH, CACHE];
  const found = directories.map((directory) => join(directory, 'nats-server')).find(isExecutable);
  if (found !== undefined) return found;
  throw new Error(
    'no nats-server was found: install it on the PATH, name it in NATS_SERVER_BIN, or set NATS_URL to a running one',
  );
}
