import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { endProcess, findProcesses } from '@signalbox/servers';
import { eventually, ROOT } from '@signalbox/testing';

/** Starts a platform, prints its directory and waits. */
const PROGRAM = `
import { Platform } from '${ROOT}libs/testing/dist/src/index.js';
const platform = await Platform.start({ services: ['accounts'] });
console.log(platform.servers.dir);
setInterval(() => undefined, 1000);
`;

/** Starts to make a kept cluster, prints its directory and waits. */
const MAKING = `
import { startPostgres } from '${ROOT}libs/servers/dist/src/index.js';
import { copyKept } from '${ROOT}libs/testing/dist/src/platform/database/migrated-cluster.js';
await copyKept(process.argv[1], async (dir) => {
  await startPostgres({ dataDir: dir + '/postgres', logFile: dir + '/log' });
  console.log(dir);
  await new Promise((resolve) => setTimeout(resolve, 600_000));
}, '');
`;

const worksIn = (dir: string): number[] =>
  findProcesses(
    ({ command, directory, environment }) =>
      [directory, ...command].some((text) => text?.startsWith(`${dir}/`)) ||
      environment.some((text) => text.includes(dir)),
  ).map(({ pid }) => pid);

describe('the processes of a test', () => {
  let test: ChildProcess;
  let dir = '';
  beforeEach(() => (dir = ''));
  afterEach(async () => {
    test.kill('SIGKILL');
    if (dir !== '') await Promise.all(worksIn(dir).map((pid) => endProcess(pid, 'SIGKILL')));
  });

  it('end with it when it is killed, and their directory is removed', async () => {
    test = spawn(process.execPath, ['--input-type=module', '-e', PROGRAM], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [printed] = (await once(test.stdout!, 'data')) as [Buffer];
    dir = printed.toString().trim();
    // Postgres with its own children, NATS, and the service.
    expect(worksIn(dir).length).toBeGreaterThan(4);
    test.kill('SIGKILL');
    await eventually('they have ended', () => worksIn(dir).length === 0 && !existsSync(dir));
  }, 60_000);

  it('end with it while it makes a cluster that is kept for others', async () => {
    const name = `test-${process.pid}`;
    const words = ['--input-type=module', '-e', MAKING, name];
    test = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] });
    const [printed] = (await once(test.stdout!, 'data')) as [Buffer];
    dir = printed.toString().trim();
    expect(worksIn(dir).length).toBeGreaterThan(0);
    test.kill('SIGKILL');
    await eventually('they have ended', () => worksIn(dir).length === 0 && !existsSync(dir));
    // The next process that needs the cluster would take the lock of a dead one over.
    await rm(join(dirname(dir), `${name}.lock`));
  }, 60_000);
});
