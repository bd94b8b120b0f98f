import { pathToFileURL } from 'node:url';
import { programOf } from './supervisor/service-process.js';
import { DEPLOYED } from './services.js';

/** Turns this process into one service, for containers: there the orchestrator does what the launcher does here. */
export async function becomeService([name = '', ...rest]: string[]): Promise<number> {
  const service = DEPLOYED.find((each) => each.name === name);
  if (service === undefined || rest.length > 0) {
    throw new Error(`name one of ${DEPLOYED.map((each) => each.name).join(', ')}`);
  }
  // The words so far were not meant for the service.
  process.argv.splice(2, process.argv.length, ...(service.words ?? []));
  await import(pathToFileURL(programOf(service)).href);
  return 0;
}
