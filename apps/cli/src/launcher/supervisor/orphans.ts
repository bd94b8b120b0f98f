import { endProcess, findProcesses } from '@signalbox/servers';
import { programOf } from './service-process.js';
import type { Service } from '../services.js';

/**
 * Services that outlived a killed launcher, identified by program and DATA_DIR: another platform of the same
 * installation is left alone.
 */
export async function endOrphans(services: Service[], root: string): Promise<number> {
  const programs = new Set(services.map(programOf));
  const orphans = findProcesses(
    ({ command, environment }) =>
      command.some((word) => programs.has(word)) && environment.includes(`DATA_DIR=${root}`),
  );
  await Promise.all(orphans.map(({ pid }) => endProcess(pid, 'SIGTERM', 5000)));
  return orphans.length;
}
