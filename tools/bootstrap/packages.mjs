import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
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

/** npm's own record of what it installed agrees with the lockfile: somebody ran `npm install` or `npm ci` by hand. */
function installedByHand() {
  try {
    const wanted = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')).packages;
    const installed = JSON.parse(readFileSync(join(ROOT, 'node_modules/.package-lock.json'), 'utf8')).packages;
    return Object.entries(wanted).every(
      ([path, { version, optional }]) =>
        !path.includes('node_modules/') || optional || installed[path]?.version === version || installed[path]?.link,
    );
  } catch {
    return false;
  }
}

export const ensurePackages = {
  isNeeded: () => installedHash() !== lockfileHash(),
  async run() {
    if (!installedByHand()) {
      say('installing packages (once, about a minute)');
      await run('npm', ['ci', '--no-audit', '--no-fund', '--include=dev'], {
        env: { ...process.env, NODE_ENV: 'development' },
      });
    }
    writeFileSync(MARK, lockfileHash());
  },
};
