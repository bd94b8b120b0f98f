// The program of `endWithThisProcess`: reads directories until its input ends, which is the end of its parent, and ends
// all that still runs in them.
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { endProcess, findProcesses } from '@signalbox/servers';
import { TEST_DIR } from '../service-environment.js';

const directories = (await text(process.stdin)).split('\n').filter((dir) => dir !== '' && existsSync(dir));

for (const dir of directories) {
  const own = findProcesses(
    ({ command, directory, environment }) =>
      command.some((word) => word.startsWith(`${dir}/`)) ||
      directory?.startsWith(`${dir}/`) ||
      environment.includes(`${TEST_DIR}=${dir}`),
  );
  // Postgres removes its shared memory on SIGQUIT only.
  const signalOf = (name = '') => (name.includes('postgres') ? 'SIGQUIT' : 'SIGKILL');
  await Promise.all(own.map(({ pid, command }) => endProcess(pid, signalOf(command[0]), 1000)));
  await rm(dir, { recursive: true, force: true });
}
