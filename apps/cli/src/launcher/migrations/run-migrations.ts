import { fork } from 'node:child_process';
import { open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { MigrationResult, MigrationTask, SchemaDifference } from '@signalbox/database';
import { exitOf, stopChild } from '@signalbox/servers';
import { isRotating, masterKeyId } from '@signalbox/servers';
import { acceptedDatabaseUrls, masterKeysOf, type Platform } from '../service-environment.js';
import { lastWords } from '../supervisor/service-process.js';
import { REPOSITORY, type Service } from '../services.js';

const PROGRAM = join(REPOSITORY, 'dist/services/migrate.js');

function moduleOf({ name, program }: Service): string {
  if (program !== undefined) return join(dirname(program), 'migrations/index.js');
  return join(REPOSITORY, 'dist/services', `${name}.migrations.js`);
}

/** Those of bundles name their code by hashes of what is in it. */
export const migrationModules = (services: Service[]): string[] => [PROGRAM, ...services.map(moduleOf)];

function taskOf(platform: Platform, services: Service[]): MigrationTask {
  const keys = masterKeysOf(platform);
  const schemas = services.map((service) => {
    const { plain, keyed } = acceptedDatabaseUrls(platform, service.name);
    return {
      module: pathToFileURL(moduleOf(service)).href,
      runtimeUrl: plain.DATABASE_URL,
      workerUrl: plain.WORKER_DATABASE_URL,
      keyed: {
        runtimeUrl: keyed.DATABASE_URL,
        workerUrl: keyed.WORKER_DATABASE_URL,
        isRotating: isRotating(keys),
        keyIds: [keys.current, keys.next, keys.previous].flatMap((key) => (key === null ? [] : [masterKeyId(key)])),
      },
    };
  });
  return { adminUrl: platform.databaseUrl, schemas };
}

export async function runMigrations(
  platform: Platform,
  services: Service[],
  logFile: string,
  cut: AbortSignal,
  only?: Record<string, string[]>,
): Promise<void> {
  await performTask({ ...taskOf(platform, services), ...(only ? { only } : {}) }, platform, logFile, cut);
}

export async function migrationDifferences(
  platform: Platform,
  services: Service[],
  logFile: string,
  cut: AbortSignal,
): Promise<SchemaDifference[]> {
  const task = { ...taskOf(platform, services), compares: true };
  return (await performTask(task, platform, logFile, cut)).differences ?? [];
}

/** In one process, which loads the libraries of all services once, and not in the caller. */
async function performTask(
  task: MigrationTask,
  platform: Platform,
  logFile: string,
  cut: AbortSignal,
): Promise<MigrationResult> {
  const log = await open(logFile, 'a', 0o600);
  // Secrets travel over the channel: arguments and environments can be read by other users.
  const child = fork(PROGRAM, [], {
    env: platform.settings.inherited,
    execArgv: [],
    cwd: REPOSITORY,
    detached: true,
    stdio: ['ignore', log.fd, log.fd, 'ipc'],
  });
  await log.close();
  const exited = exitOf(child);
  let result: MigrationResult | undefined;
  child.once('message', (message: MigrationResult) => (result = message));
  child.send(task);
  const stop = () => void stopChild(child, exited, [{ signal: 'SIGTERM', patienceMs: 5000 }]);
  cut.addEventListener('abort', stop, { once: true });
  const { code, signal } = await exited;
  cut.removeEventListener('abort', stop);
  if (result?.error !== undefined) throw new Error(result.error);
  if (result !== undefined) return result;
  throw new Error(
    `the migrations failed (${signal ?? `exit code ${code}`}); their log ${logFile} ends with\n${await lastWords(logFile)}`,
  );
}
