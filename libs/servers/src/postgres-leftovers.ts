import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { endProcess, findProcess } from './processes.js';

/** Reads a line of the file in which a running server states its pid (first line) and its readiness (eighth). */
export async function postmasterLine(dataDir: string, line: number): Promise<string> {
  const text = await readFile(join(dataDir, 'postmaster.pid'), 'utf8').catch(() => '');
  return text.split('\n')[line - 1]?.trim() ?? '';
}

/**
 * Ends a server that a killed launcher left on this data directory, proven by its command and working directory.
 * A lock file whose pid belongs to a stranger (numbers repeat, above all in containers) is removed.
 */
export async function clearPostgresLeftovers(dataDir: string): Promise<void> {
  const pid = Number(await postmasterLine(dataDir, 1));
  if (!Number.isInteger(pid) || pid <= 0) return;
  const owner = findProcess(pid);
  if (owner === null) return;
  if (owner.command[0]?.endsWith('/postgres') && owner.directory === dataDir) {
    await endProcess(pid, 'SIGINT', 10_000);
  } else if (owner.directory !== null) {
    await rm(join(dataDir, 'postmaster.pid'), { force: true });
  }
}
