import { pathToFileURL } from 'node:url';
import { programOf } from './supervisor/service-process.js';
import { DEPLOYED } from './services.js';

/** Turns this process into one service, for containers: there the orchestrator replaces the launcher. */
export async function runAsService([name = '', ...rest]: string[]): Promise<number> {
  const service = DEPLOYED.find((each) => each.name === name);
  if (service === undefined || rest.length > 0) {
    throw new Error(`name one of ${DEPLOYED.map((each) => each.name).join(', ')}`);
  }
  // The words before the service's own are removed.
  process.argv.splice(2, process.argv.length, ...(service.words ?? []));
  await import(pathToFileURL(programOf(service)).href);
  return 0;
}
