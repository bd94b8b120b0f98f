import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '@signalbox/testing';

const run = promisify(execFile);

/** The newest version with the scenarios of every revision that is served; it is no dependency: 120 packages for one spec. */
const VERSION = '0.2.0-alpha.12';
const FOLDER = join(ROOT, '.cache', `mcp-conformance-${VERSION}`);
const ENTRY = join(FOLDER, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const NPM = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--save-exact'];
const LIMIT_MS = 600_000;

/** What a scenario says of one requirement. */
export interface Check {
  scenario: string;
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  errorMessage?: string;
  /** `untestable` when the server has nothing with which the requirement could be tested. */
  details?: { untestable?: boolean };
}

/** Installs the official conformance suite below `.cache`, complete or not at all. */
export async function installSuite(): Promise<void> {
  if (existsSync(ENTRY)) return;
  await mkdir(dirname(FOLDER), { recursive: true });
  const folder = await mkdtemp(`${FOLDER}.`);
  try {
    await writeFile(join(folder, 'package.json'), '{ "private": true }');
    await run('npm', [...NPM, `@modelcontextprotocol/conformance@${VERSION}`], { cwd: folder, timeout: LIMIT_MS });
    const entry = join(folder, ENTRY.slice(FOLDER.length));
    await writeFile(entry, withoutGlob(await readFile(entry, 'utf8')));
    await rename(folder, FOLDER);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** It imports what Node 20 does not have, for a command that is not used here. */
const withoutGlob = (source: string): string =>
  source.replace(
    /\bglobSync as (\w+),(.*)$/s,
    (_, name: string, rest: string) => `${rest}\nfunction ${name}() { return []; }\n`,
  );

/** Runs what a revision requires of a server; every check of every scenario. */
export async function checksOf(revision: string, url: string): Promise<Check[]> {
  const results = await mkdtemp(join(tmpdir(), 'mcp-conformance-'));
  const args = [ENTRY, 'server', '--url', url, '--requirements', revision, '--output-dir', results];
  try {
    // It exits with 1 when a scenario fails, which some do for want of fixtures.
    await run(process.execPath, args, { cwd: results, timeout: LIMIT_MS }).catch((error: { code?: unknown }) => {
      if (error.code !== 1) throw error as Error;
    });
    const checks: Check[] = [];
    for (const name of await readdir(results)) {
      const scenario = name.replace(/^server-(.*)-\d{4}-\d\d-\d\dT.*$/, '$1');
      const found = JSON.parse(await readFile(join(results, name, 'checks.json'), 'utf8')) as Omit<Check, 'scenario'>[];
      checks.push(...found.map((check) => ({ scenario, ...check })));
    }
    return checks;
  } finally {
    await rm(results, { recursive: true, force: true });
  }
}
