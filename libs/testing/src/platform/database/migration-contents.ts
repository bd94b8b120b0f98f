import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { serviceCredentials } from '@signalbox/servers';
import { ROOT } from '../service-process.js';
import { TEST_MASTER_KEY } from '../test-master-key.js';

async function compiledBelow(folder: string): Promise<string[]> {
  const names = await readdir(join(ROOT, folder), { recursive: true });
  return names.filter((name) => name.endsWith('.js')).map((name) => join(folder, name));
}

const filesOf = (service: string): Promise<string[]> => compiledBelow(`apps/${service}/dist/src/migrations`);

/** A hash of what an empty cluster depends on: the server and how it is started. */
export async function serverContents(): Promise<string> {
  const hash = createHash('sha256');
  for (const file of ['package-lock.json', ...(await compiledBelow('libs/servers/dist/src')).sort()])
    hash.update(`${file}\0`).update(await readFile(join(ROOT, file)));
  return hash.digest('hex').slice(0, 24);
}

/** A hash of what a migrated cluster depends on: migrations, libraries, roles, the server. */
export async function migrationContents(services: readonly string[]): Promise<string> {
  const shared = ['libs/database/dist/src', 'libs/servers/dist/src'].map(compiledBelow);
  const made = (await Promise.all([...services.map(filesOf), ...shared])).flat().sort();
  // Contains the version of Postgres.
  const files = ['package-lock.json', ...made];
  const hash = createHash('sha256');
  for (const file of files) hash.update(`${file}\0`).update(await readFile(join(ROOT, file)));
  for (const service of services) hash.update(JSON.stringify(serviceCredentials(TEST_MASTER_KEY, service)));
  return hash.digest('hex').slice(0, 24);
}
