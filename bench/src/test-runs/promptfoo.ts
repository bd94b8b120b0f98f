import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { ROOT } from '@signalbox/testing';
import { Child } from '../measure/child.js';
import { progress } from '../measure/rounds.js';
import type { EvaluateAnswer, EvaluateQuestion } from '../bases/promptfoo.js';

const VERSION = '0.121.20';
const FOLDER = join(ROOT, '.cache', 'bench', `promptfoo-${VERSION}`);
const ENTRY = join('node_modules', 'promptfoo', 'dist', 'src', 'index.js');
const INSTALL_MS = 600_000;

/** What it can do without is left out, a few hundred megabytes of it, and no script of a package runs. */
const NPM = ['install', '--omit=optional', '--ignore-scripts', '--no-audit', '--no-fund', '--save-exact'];

const npmInstall = (folder: string, name: string): Promise<unknown> =>
  promisify(execFile)('npm', [...NPM, name, '--prefix', folder], { cwd: folder, timeout: INSTALL_MS });

/** The optional package that its database does need: that of this system. */
async function databaseBinding(folder: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(folder, 'node_modules/libsql/package.json'), 'utf8')) as {
    version: string;
  };
  return `@libsql/${process.platform}-${process.arch}${process.platform === 'linux' ? '-gnu' : ''}@${version}`;
}

/** Installs into a folder that gets its name when it is complete. */
async function install(): Promise<void> {
  progress(`installing promptfoo ${VERSION} into ${FOLDER}`);
  await mkdir(dirname(FOLDER), { recursive: true });
  const folder = await mkdtemp(`${FOLDER}.`);
  try {
    await writeFile(join(folder, 'package.json'), '{ "private": true }');
    await npmInstall(folder, `promptfoo@${VERSION}`);
    await npmInstall(folder, await databaseBinding(folder));
    await rename(folder, FOLDER);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Whether promptfoo is available, after an attempt to install it unless the run is tiny; prints why it is not. */
async function isInstalled(tiny: boolean): Promise<boolean> {
  if (existsSync(join(FOLDER, ENTRY))) return true;
  try {
    if (tiny) throw new Error('a tiny run installs nothing');
    await install();
    return true;
  } catch (error) {
    const [reason] = /^npm error (?!code|A complete).*/m.exec((error as { stderr?: string }).stderr ?? '') ?? [];
    console.log(`  promptfoo ${VERSION} is not installed, so there is no base: ${reason ?? (error as Error).message}`);
    return false;
  }
}

/** promptfoo in a separate process. */
export class Promptfoo {
  private constructor(private readonly child: Child) {}

  /** Runs with promptfoo, with null when it cannot be installed; its home folder and database are new. */
  static async use<R>(
    upstreamPort: number,
    tiny: boolean,
    run: (promptfoo: Promptfoo | null) => Promise<R>,
  ): Promise<R> {
    if (!(await isInstalled(tiny))) return run(null);
    const home = await mkdtemp(join(tmpdir(), 'bench-promptfoo-'));
    try {
      const child = await Child.start(new URL('../bases/promptfoo.js', import.meta.url), {
        PROMPTFOO: pathToFileURL(join(FOLDER, ENTRY)).href,
        UPSTREAM: `http://127.0.0.1:${upstreamPort}/v1`,
        HOME: home,
        PROMPTFOO_CONFIG_DIR: home,
      });
      return await run(new Promptfoo(child)).finally(() => child.stop());
    } finally {
      await rm(home, { recursive: true, force: true });
    }
  }

  get pid(): number {
    return this.child.pid;
  }

  evaluate(question: EvaluateQuestion): Promise<EvaluateAnswer> {
    return this.child.ask<EvaluateAnswer>(question);
  }
}
