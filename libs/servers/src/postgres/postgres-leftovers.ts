import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { endProcess, findProcess, findProcesses } from '../processes.js';

/** Of the file of a running server, with the pid in line 1 and the readiness in line 8. */
export async function postmasterLine(dataDir: string, line: number): Promise<string> {
  const text = await readFile(join(dataDir, 'postmaster.pid'), 'utf8').catch(() => '');
  return text.split('\n')[line - 1]?.trim() ?? '';
}

async function clearPostmaster(dataDir: string): Promise<void> {
  const pid = Number(await postmasterLine(dataDir, 1));
  if (!Number.isInteger(pid) || pid <= 0) return;
  const owner = findProcess(pid);
  if (owner === null) return;
  if (owner.command[0]?.endsWith('/postgres') && owner.directory === dataDir) {
    await endProcess(pid, 'SIGINT', 10_000);
  } else if (owner.directory !== null) {
    // Pids are reused, most often in containers: the pid in the lock file may be another process.
    await rm(join(dataDir, 'postmaster.pid'), { force: true });
  }
}

/**
 * Ends what a killed launcher or postmaster left on this data directory, identified by command and working directory. A
 * backend in a long query would otherwise hold the shared memory until the query is done.
 */
export async function clearPostgresLeftovers(dataDir: string): Promise<void> {
  await clearPostmaster(dataDir);
  const backends = findProcesses(
    ({ command, directory }) => directory === dataDir && /^postgres:|\/postgres$/.test(command[0] ?? ''),
  );
  await Promise.all(backends.map(({ pid }) => endProcess(pid, 'SIGQUIT', 1000)));
}
