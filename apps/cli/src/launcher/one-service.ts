import { pathToFileURL } from 'node:url';
import { programOf } from './supervisor/service-process.js';
import { commandOf, DEPLOYED, type Service } from './services.js';

/** A divided service that is named without a role: its one process has all roles. */
const undivided = (name: string): Service | undefined => {
  const service = DEPLOYED.find(({ of }) => of === name);
  return service && { ...service, words: [] };
};

/** The service that the words after `signalbox service` start; undefined when they name none. */
export function serviceOfCommand(words: readonly string[]): Service | undefined {
  const named = words.join(' ');
  return DEPLOYED.find((each) => commandOf(each).join(' ') === named) ?? undivided(named);
}

/** Turns this process into one service, for containers: there the orchestrator replaces the launcher. */
export async function runAsService(command: string[]): Promise<number> {
  const service = serviceOfCommand(command);
  if (service === undefined) {
    throw new Error(`name one of ${DEPLOYED.map((each) => commandOf(each).join(' ')).join(', ')}`);
  }
  // The words before the service's own are removed.
  process.argv.splice(2, process.argv.length, ...(service.words ?? []));
  await import(pathToFileURL(programOf(service)).href);
  return 0;
}
