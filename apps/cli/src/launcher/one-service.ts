import { pathToFileURL } from 'node:url';
import { programOf } from './service-process.js';
import { SERVICES } from './services.js';

/** Turns this process into one service, for containers: there the orchestrator does what the launcher does here. */
export async function becomeService([name = '', ...rest]: string[]): Promise<number> {
  const service = SERVICES.find((each) => each.name === name);
  if (service === undefined || rest.length > 0) {
    throw new Error(`name one of ${SERVICES.map((each) => each.name).join(', ')}`);
  }
  // A service takes no words from its command line, and these were not meant for it.
  process.argv.splice(2);
  await import(pathToFileURL(programOf(service)).href);
  return 0;
}
