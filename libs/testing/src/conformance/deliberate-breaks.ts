import { spawn } from 'node:child_process';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from '../platform/service-process.js';

/** A mistake in a compiled file, and the spec that has to detect it. */
export interface DeliberateViolation {
  name: string;
  file: string;
  find: string | RegExp;
  replace: string;
  spec: string;
  /** Part of the names of the tests that have to fail. */
  tests: string;
}

export interface Verdict {
  passed: boolean;
  output: string;
}

export const DELIBERATE_VIOLATIONS: readonly DeliberateViolation[] = [
  {
    name: 'reads forget the company',
    file: 'libs/database/dist/src/view.js',
    find: 't.company_id = s.company::int AND ',
    replace: '',
    spec: 'libs/database/dist/test/tenancy.spec.js',
    tests: 'holds when the company filter of a read is forgotten',
  },
  {
    name: 'policies admit every company',
    file: 'libs/database/dist/src/schema/schema.js',
    find: /USING \(company_id = \$\{CURRENT_COMPANY\}\) WITH CHECK \(company_id = \$\{CURRENT_COMPANY\}\)/,
    replace: 'USING (true) WITH CHECK (true)',
    spec: 'libs/database/dist/test/tenancy.spec.js',
    tests: 'shows the runtime role only the rows of its company',
  },
  {
    name: 'owners stand above the policies',
    file: 'libs/database/dist/src/schema/schema.js',
    find: /`ALTER TABLE \$\{name\} FORCE ROW LEVEL SECURITY`,/,
    replace: '',
    spec: 'libs/database/dist/test/tenancy.spec.js',
    tests: 'is forced on every table',
  },
  {
    name: 'stale workers may write',
    file: 'libs/database/dist/src/stores/work.sql.js',
    find: 'WHERE id = $1 AND fence = $2 AND',
    replace: 'WHERE id = $1 AND $2::int IS NOT NULL AND',
    spec: 'libs/database/dist/test/transactions.spec.js',
    tests: 'higher fence',
  },
  {
    name: 'secrets are scrubbed in their plain spelling only',
    file: 'libs/egress/dist/src/secrets/scrubber.js',
    find: '.flatMap(formsOfValue)',
    replace: '',
    spec: 'libs/egress/dist/test/secrets.spec.js',
    tests: 'no form of any value remains in any text',
  },
];

const COMPILED = ['libs', 'apps'];
/** Left out of the copy: three quarters of the compiled files. */
const NOT_RUN = /\.(map|d\.ts|tsbuildinfo)$/;

/** In a temporary directory, with links to third-party packages and copies of our own. */
export class BuildCopy {
  private constructor(readonly dir: string) {}

  static async make(): Promise<BuildCopy> {
    const dir = await mkdtemp(join(tmpdir(), 'signalbox-violation-'));
    // As root, Postgres runs as another user and may have to create its cluster here.
    await chmod(dir, 0o711);
    await writeFile(join(dir, 'package.json'), '{"type":"module"}');
    for (const group of COMPILED) {
      for (const name of await readdir(join(ROOT, group))) {
        const from = join(ROOT, group, name);
        const to = join(dir, group, name);
        const filter = (path: string): boolean => !NOT_RUN.test(path);
        await cp(join(from, 'dist'), join(to, 'dist'), { recursive: true, filter }).catch(() => undefined);
        await cp(join(from, 'package.json'), join(to, 'package.json')).catch(() => undefined);
        await symlink(join(from, 'node_modules'), join(to, 'node_modules')).catch(() => undefined);
      }
    }
    await mkdir(join(dir, 'node_modules', '@signalbox'), { recursive: true });
    for (const name of await readdir(join(ROOT, 'node_modules')))
      if (name !== '@signalbox' && name !== '.bin')
        await symlink(join(ROOT, 'node_modules', name), join(dir, 'node_modules', name));
    for (const group of COMPILED)
      for (const name of await readdir(join(dir, group)))
        await symlink(join(dir, group, name), join(dir, 'node_modules', '@signalbox', name));
    await symlink(join(ROOT, '.cache'), join(dir, '.cache')).catch(() => undefined);
    // Kept clusters are named by the Postgres version in it.
    await symlink(join(ROOT, 'package-lock.json'), join(dir, 'package-lock.json'));
    return new BuildCopy(dir);
  }

  judgeUnchanged(violations: readonly DeliberateViolation[]): Promise<Verdict> {
    return this.run(violations);
  }

  async judge(violation: DeliberateViolation): Promise<Verdict> {
    const file = join(this.dir, violation.file);
    const before = await readFile(file, 'utf8');
    const broken = before.replace(violation.find, () => violation.replace);
    if (broken === before) throw new Error(`${violation.name}: ${violation.file} has changed; adapt the violation`);
    await writeFile(file, broken);
    try {
      return await this.run([violation]);
    } finally {
      await writeFile(file, before);
    }
  }

  private run(violations: readonly DeliberateViolation[]): Promise<Verdict> {
    const specs = [...new Set(violations.map(({ spec }) => spec))];
    const names = violations.map(({ tests }) => tests).join('|');
    const config = {
      rootDir: this.dir,
      // Jest reads these folders instead of the whole copy.
      roots: specs.map((spec) => `<rootDir>/${dirname(spec)}`),
      testMatch: specs.map((spec) => `<rootDir>/${spec}`),
      testEnvironment: 'node',
      testRunner: join(ROOT, 'tools/jest/spec-runner.mjs'),
      testTimeout: 30_000,
      transform: {},
    };
    const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
    const options = ['--config', JSON.stringify(config), '--runInBand', '-t', names];
    const child = spawn(process.execPath, ['--experimental-vm-modules', '--no-warnings', jest, ...options], {
      cwd: this.dir,
      env: { PATH: process.env.PATH ?? '', NODE_OPTIONS: '--experimental-vm-modules --no-warnings' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const parts: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (part: Buffer) => parts.push(part));
    return new Promise((resolve) =>
      child.once('close', (code) => resolve({ passed: code === 0, output: Buffer.concat(parts).toString() })),
    );
  }

  async remove(): Promise<void> {
    await rm(this.dir, { recursive: true, force: true });
  }
}
