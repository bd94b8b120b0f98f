import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT, run, say } from './repository.mjs';

const MARK = join(ROOT, 'node_modules/.signalbox-lock');

function lockfileHash() {
  return createHash('sha256')
    .update(readFileSync(join(ROOT, 'package-lock.json')))
    .digest('hex');
}

function installedHash() {
  try {
    return readFileSync(MARK, 'utf8');
  } catch {
    return null;
  }
}

/** npm's own record of the installation agrees with the lockfile, and every workspace is linked: `npm install` or `npm ci` was run by hand. */
function installedByHand() {
  try {
    const wanted = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages;
    const installed = JSON.parse(readFileSync(join(ROOT, 'node_modules/.package-lock.json'), 'utf8')).packages;
    return Object.entries(wanted).every(
      ([path, { version, optional, link }]) =>
        !path.includes('node_modules/') ||
        optional ||
        (link ? existsSync(join(ROOT, path)) : installed[path]?.version === version),
    );
  } catch {
    return false;
  }
}

const QUIETLY = ['--no-audit', '--no-fund', '--include=dev', '--loglevel=error'];

/** npm in this repository, whatever NODE_ENV the caller has: the compiler is a development package. */
function npm(...words) {
  return run('npm', [...words, ...QUIETLY], { env: { ...process.env, NODE_ENV: 'development' } });
}

async function install() {
  try {
    await npm('ci');
  } catch (error) {
    // A lockfile written where packages for other systems could not be resolved lacks them, and `npm ci` refuses it.
    // The other way to install uses the same locked versions, and --no-save leaves the lockfile unchanged.
    if (!error.message.includes('EUSAGE')) throw error;
    say('the lockfile lacks packages of other systems, installing without them');
    await npm('install', '--no-save');
  }
}

export const ensurePackages = {
  isNeeded: () => installedHash() !== lockfileHash(),
  async run() {
    if (!installedByHand()) {
      say('installing packages (once, about a minute)');
      await install();
    }
    writeFileSync(MARK, lockfileHash());
  },
};
