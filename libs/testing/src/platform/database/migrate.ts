import { fork } from 'node:child_process';
import { existsSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { MigrationResult, MigrationTask } from '@signalbox/database';
import { ROOT } from '../service-process.js';
import { databaseEnv } from './database-environment.js';

/** Bundles, or compiled files in a copy of the build without bundles. */
const PROGRAM = { bundle: 'dist/services/migrate.js', compiled: 'libs/database/dist/src/schema/migration-process.js' };
const SCHEMA = {
  bundle: (service: string) => `dist/services/${service}.migrations.js`,
  compiled: (service: string) => `apps/${service}/dist/src/migrations/index.js`,
};

/** As the launcher does; `adminUrl` is the superuser's. */
export async function migrate(services: readonly string[], adminUrl: string, logFile: string): Promise<void> {
  const kind = existsSync(ROOT + PROGRAM.bundle) ? 'bundle' : 'compiled';
  const schemas = services.map((service) => {
    const urls = databaseEnv(adminUrl, service);
    return {
      module: pathToFileURL(ROOT + SCHEMA[kind](service)).href,
      runtimeUrl: urls.DATABASE_URL,
      workerUrl: urls.WORKER_DATABASE_URL,
    };
  });
  const log = await open(logFile, 'a');
  const child = fork(ROOT + PROGRAM[kind], [], { execArgv: [], stdio: ['ignore', log.fd, log.fd, 'ipc'] });
  await log.close();
  let result: MigrationResult | undefined;
  child.once('message', (message: MigrationResult) => (result = message));
  child.send({ adminUrl, schemas } satisfies MigrationTask);
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  if (result === undefined || result.error !== undefined)
    throw new Error(`${result?.error ?? `the migrations ended with ${code}`}, see ${logFile}`);
}
