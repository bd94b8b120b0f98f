import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@signalbox/servers';
import { REPOSITORY } from '../src/launcher/services.js';

interface Coverage {
  result: { url: string }[];
}

/** A program that runs a command by the main module of a file. */
const programOf = (file: string, words: string[], then = ''): string[] => [
  '--input-type=module',
  '--eval',
  `const { main } = await import(${JSON.stringify(join(REPOSITORY, file))});
console.log = console.error = () => undefined;
await main(${JSON.stringify(words)});${then}`,
];

/** The compiled files that a command loads, from the coverage report of V8; those of a bundle have what these have. */
function filesLoadedBy(words: string[], environment: Record<string, string>): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'loaded-'));
  try {
    spawnSync(process.execPath, programOf('apps/cli/dist/src/main.js', words), {
      env: { ...environment, NODE_V8_COVERAGE: folder, DATA_DIR: folder },
    });
    return readdirSync(folder)
      .map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')) as Coverage)
      .flatMap(({ result }) => result.map(({ url }) => url));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const REPORT = 'process.stdout.write(JSON.stringify(process.cpuUsage()));';

/** The processor time of a program that ends with a report: unlike its duration it does not depend on what else runs. */
function cpuSeconds(program: string[], environment: Record<string, string>): number {
  const { stdout } = spawnSync(process.execPath, program, { env: environment, encoding: 'utf8' });
  const { user, system } = JSON.parse(stdout) as { user: number; system: number };
  return (user + system) / 1e6;
}

describe('a command of the operator', () => {
  it.each([
    ['create-key', ['--company', '1', '--name', 'a', '--scopes', 'read']],
    ['create-company', ['--name', 'a']],
    ['list-companies', []],
  ])('%s loads the client of the bus and neither Nest nor the launcher', async (name, options) => {
    const files = filesLoadedBy(['admin', name, ...options], { NATS_URL: `nats://127.0.0.1:${await freePort()}` });
    expect(files.some((file) => file.includes('/libs/bus/dist/src/calls/bus-client.js'))).toBe(true);
    const notNeeded = /\/node_modules\/(@nestjs|rxjs|typeorm|pg|fastify)\/|\/apps\/cli\/dist\/src\/launcher\/start\.js/;
    expect(files.filter((file) => notNeeded.test(file))).toEqual([]);
  });
});

describe('a command of the API', () => {
  it.each([
    ['a list', ['agents', 'list']],
    ['the help of a verb', ['agents', 'invoke', '--help']],
    ['the completion', ['__complete', 'agents', '']],
  ])(
    '%s loads no contracts, no framework and no launcher, and takes as much processor time as a few empty programs',
    async (_, words) => {
      const environment = { SIGNALBOX_URL: `http://127.0.0.1:${await freePort()}`, SIGNALBOX_API_KEY: 'k' };
      const files = filesLoadedBy(words, environment);
      expect(files.some((file) => file.includes('/apps/cli/dist/src/client/'))).toBe(true);
      const notNeeded =
        /\/node_modules\/|\/libs\/(?!sdk\/|bus\/dist\/src\/addresses\.js)|\/apps\/cli\/dist\/src\/(launcher|admin|demo)\//;
      expect(files.filter((file) => notNeeded.test(file))).toEqual([]);
      const empty = cpuSeconds(['-e', REPORT], environment);
      const command = cpuSeconds(programOf('dist/services/cli.js', words, REPORT), environment);
      expect(command).toBeLessThan(20 * empty);
    },
  );
});
