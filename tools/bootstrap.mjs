// Prepares a clone for starting: packages, compiled sources, Postgres' library links, nats-server. Runs before `npm
// start`, `npm test` and `npm run demo`, so with nothing to do it must cost next to nothing. `--packages`: only those.
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from './bootstrap/build.mjs';
import { withLock } from './bootstrap/lock.mjs';
import { ensureNatsServer } from './bootstrap/nats-server.mjs';
import { ensurePackages } from './bootstrap/packages.mjs';
import { ensurePostgresLinks } from './bootstrap/postgres-links.mjs';
import { CACHE, ROOT, say } from './bootstrap/repository.mjs';

/** Each step checks whether it has work and does it. The order matters. */
const STEPS = process.argv.includes('--packages')
  ? [ensurePackages]
  : [ensurePackages, ensurePostgresLinks, ensureBuilt, ensureNatsServer];

async function pending() {
  for (const step of STEPS) if (await step.isNeeded()) return true;
  return false;
}

async function prepare() {
  for (const step of STEPS) if (await step.isNeeded()) await step.run();
}

try {
  if (await pending()) {
    mkdirSync(CACHE, { recursive: true });
    await withLock(join(CACHE, 'bootstrap.lock'), prepare);
  }
  if (!existsSync(join(ROOT, 'node_modules'))) throw new Error('the packages could not be installed');
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
