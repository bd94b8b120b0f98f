import { pathToFileURL } from 'node:url';
import { programOf } from './supervisor/service-process.js';
import { commandOf, DEPLOYED, type Service } from './services.js';

const undivided = (name: string): Service | undefined => {
  const service = DEPLOYED.find(({ of }) => of === name);
  return service && { ...service, words: [] };
};

/** The words after `signalbox service`; undefined when they name none. */
export function serviceOfCommand(words: readonly string[]): Service | undefined {
  const named = words.join(' ');
  return DEPLOYED.find((each) => commandOf(each).join(' ') === named) ?? undivided(named);
}

/** For containers, where the orchestrator replaces the launcher. */
export async function runAsService(command: string[]): Promise<number> {
  const service = serviceOfCommand(command);
  if (service === undefined) {
    throw new Error(`name one of ${DEPLOYED.map((each) => commandOf(each).join(' ')).join(', ')}`);
  }
  // Only the service's own words are left.
  process.argv.splice(2, process.argv.length, ...(service.words ?? []));
  await import(pathToFileURL(programOf(service)).href);
  return 0;
}
