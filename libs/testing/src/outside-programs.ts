import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from './platform/service-process.js';

const INSTALL_MS = 600_000;
const NPM = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--save-exact'];

/** Third-party programs of some tests and benches, too large to be dependencies. */
export interface OutsideProgram {
  name: string;
  version: string;
  flags?: readonly string[];
  /** Completes the installed folder; `add` installs a further package into it. */
  complete?: (folder: string, add: (specifier: string) => Promise<unknown>) => Promise<unknown>;
}

const folderOf = ({ name, version }: OutsideProgram): string =>
  join(ROOT, '.cache', 'outside', `${name.replace(/^@/, '').replaceAll('/', '-')}-${version}`);

export const isInstalled = (program: OutsideProgram): boolean => existsSync(folderOf(program));

/** Installs the program below `.cache` unless it is there; atomic. */
export async function installed(program: OutsideProgram): Promise<string> {
  const target = folderOf(program);
  if (existsSync(target)) return target;
  await mkdir(dirname(target), { recursive: true });
  const folder = await mkdtemp(`${target}.`);
  const add = (specifier: string): Promise<unknown> =>
    promisify(execFile)('npm', [...NPM, ...(program.flags ?? []), specifier, '--prefix', folder], {
      cwd: folder,
      timeout: INSTALL_MS,
    });
  try {
    await writeFile(join(folder, 'package.json'), '{ "private": true }');
    await add(`${program.name}@${program.version}`);
    await program.complete?.(folder, add);
    await rename(folder, target);
    return target;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The last version of promptfoo for Node 20, without some hundred megabytes of optional packages. */
export const PROMPTFOO: OutsideProgram = {
  name: 'promptfoo',
  version: '0.121.20',
  flags: ['--omit=optional'],
  // The optional package that its database needs on this system.
  complete: async (folder, add) => {
    const libsql = await readFile(join(folder, 'node_modules/libsql/package.json'), 'utf8');
    const system = `${process.platform}-${process.arch}${process.platform === 'linux' ? '-gnu' : ''}`;
    await add(`@libsql/${system}@${(JSON.parse(libsql) as { version: string }).version}`);
  },
};
