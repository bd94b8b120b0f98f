import { accessSync, constants, rmSync, statSync, symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fetchFromDebian } from './nats-from-debian.mjs';
import { fetchOfficialRelease } from './nats-official.mjs';
import { CACHE, say } from './repository.mjs';

const IN_CACHE = join(CACHE, 'nats-server');
const HOW_TO_HELP =
  'no nats-server was found here and none could be fetched. Any of these three helps: install nats-server so that it is ' +
  'on the PATH (on Debian and Ubuntu: apt-get install nats-server), set NATS_SERVER_BIN to its executable, or set ' +
  'NATS_URL to a running server with JetStream.';

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function installed() {
  const named = process.env.NATS_SERVER_BIN;
  if (named) {
    if (!isExecutable(named)) throw new Error(`NATS_SERVER_BIN names ${named}, which is not an executable file`);
    return named;
  }
  const directories = [...(process.env.PATH ?? '').split(delimiter).filter(Boolean), '/usr/sbin'];
  return directories.map((directory) => join(directory, 'nats-server')).find(isExecutable) ?? null;
}

/** Programs without a PATH (the test libraries) find the chosen server through `.cache/`. */
function remember(path) {
  rmSync(IN_CACHE, { force: true });
  symlinkSync(path, IN_CACHE);
}

export const ensureNatsServer = {
  isNeeded: () => !process.env.NATS_URL && !isExecutable(IN_CACHE),
  async run() {
    const found = installed();
    if (found !== null) return remember(found);
    const complaints = [];
    for (const fetchServer of [fetchOfficialRelease, fetchFromDebian]) {
      try {
        return await fetchServer(IN_CACHE);
      } catch (error) {
        complaints.push(error.message);
        say(error.message);
      }
    }
    throw new Error(HOW_TO_HELP);
  },
};
