import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installed, type OutsideProgram } from '@signalbox/testing';

const run = promisify(execFile);

const ENTRY = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';
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

/** The newest version with the scenarios of every revision that is served; it is no dependency: 120 packages for one spec. */
const SUITE: OutsideProgram = {
  name: '@modelcontextprotocol/conformance',
  version: '0.2.0-alpha.12',
  complete: async (folder) => {
    const entry = join(folder, ENTRY);
    await writeFile(entry, withoutGlob(await readFile(entry, 'utf8')));
  },
};

/** Installs the official conformance suite, when it is not yet. */
export const installSuite = (): Promise<string> => installed(SUITE);

/** It imports what Node 20 does not have, for a command that is not used here. */
const withoutGlob = (source: string): string =>
  source.replace(
    /\bglobSync as (\w+),(.*)$/s,
    (_, name: string, rest: string) => `${rest}\nfunction ${name}() { return []; }\n`,
  );

/** Runs what a revision requires of a server; every check of every scenario. */
export async function checksOf(revision: string, url: string): Promise<Check[]> {
  const results = await mkdtemp(join(tmpdir(), 'mcp-conformance-'));
  const args = [
    join(await installSuite(), ENTRY),
    'server',
    '--url',
    url,
    '--requirements',
    revision,
    '--output-dir',
    results,
  ];
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
