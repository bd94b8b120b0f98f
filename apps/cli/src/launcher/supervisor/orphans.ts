import { endProcess, findProcesses } from '@signalbox/servers';
import { programOf } from './service-process.js';
import type { Service } from '../services.js';

/**
 * Ends services that outlived a killed launcher. Proof: the command contains the service's program and the environment
 * our DATA_DIR, so another platform of the same installation is left alone.
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
