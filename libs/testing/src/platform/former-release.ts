import { execFile } from 'node:child_process';
import { access, cp, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { endWithThisProcess } from './leftovers/end-with-this-process.js';
import { ROOT } from './service-process.js';

const run = promisify(execFile);
const KEPT = join(ROOT, '.cache', 'releases');
const OUTPUT_BYTES = 16 * 1024 * 1024;
const COMPILED = ['gateway', 'accounts', 'traffic', 'agents', 'test-runs', 'training', 'monitors', 'workflows'].concat(
  'runner',
  'cli',
);

export interface FormerRelease {
  tag: string;
  /** With a slash at its end. */
  build: string;
}

/**
 * The build of the last tagged commit, or of UPGRADE_FROM, kept in `.cache`; null without a tag, as in a shallow clone.
 * Packages are those of this commit when the lock files agree, else they are installed.
 */
export async function formerRelease(): Promise<FormerRelease | null> {
  const tag = process.env.UPGRADE_FROM ?? (await lastTag());
  if (tag === '') return null;
  const commit = await git('rev-parse', `${tag}^{commit}`);
  const build = join(KEPT, `${tag}-${commit.slice(0, 12)}`);
  if (!(await exists(build))) await make(commit, build);
  return { tag, build: `${build}/` };
}

const lastTag = (): Promise<string> => git('describe', '--tags', '--abbrev=0', '--match', 'v*').catch(() => '');

const git = async (...words: string[]): Promise<string> =>
  (await run('git', words, { cwd: ROOT, maxBuffer: OUTPUT_BYTES })).stdout.trim();

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

async function make(commit: string, place: string): Promise<void> {
  const staging = `${place}.${process.pid}`;
  endWithThisProcess(staging);
  await rm(staging, { recursive: true, force: true });
  await mkdir(staging, { recursive: true });
  try {
    await run('git', ['archive', '-o', join(staging, 'source.tar'), commit], { cwd: ROOT });
    await run('tar', ['-xf', 'source.tar'], { cwd: staging });
    await rm(join(staging, 'source.tar'));
    await givePackages(staging);
    const node = (...words: string[]) => run(process.execPath, words, { cwd: staging, maxBuffer: OUTPUT_BYTES });
    await node('node_modules/typescript-7/bin/tsc', '-b', ...COMPILED.map((app) => `apps/${app}`));
    await node('tools/bundle.mjs');
    await rename(staging, place);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Links to those of this commit where the lock files agree. */
async function givePackages(place: string): Promise<void> {
  const lockOf = async (root: string) => withoutOwnVersions(await readFile(join(root, 'package-lock.json'), 'utf8'));
  if ((await lockOf(place)) !== (await lockOf(ROOT))) {
    await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: place, maxBuffer: OUTPUT_BYTES });
    return;
  }
  await linkAll(join(ROOT, 'node_modules'), join(place, 'node_modules'));
  for (const group of ['apps', 'libs'])
    for (const name of await readdir(join(place, group))) {
      const packages = join(ROOT, group, name, 'node_modules');
      if (await exists(packages)) await symlink(packages, join(place, group, name, 'node_modules'));
    }
}

/** Its own packages are links into its folder, so they are copied. */
async function linkAll(from: string, to: string): Promise<void> {
  await mkdir(to);
  for (const name of await readdir(from))
    if (name === '@signalbox') await cp(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
    else if (name !== '.cache') await symlink(join(from, name), join(to, name));
}

/** The entries of its own packages contain the version of the platform. */
const withoutOwnVersions = (lock: string): string => {
  const { packages } = JSON.parse(lock) as { packages: Record<string, { resolved?: string; version?: string }> };
  return JSON.stringify(
    Object.entries(packages)
      .filter(([path]) => path.startsWith('node_modules/') || path.includes('/node_modules/'))
      .map(([path, { version, resolved }]) => [path, version, resolved]),
  );
};
