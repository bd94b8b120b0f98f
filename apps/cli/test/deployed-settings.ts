import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROCESS_SETTINGS } from '@signalbox/platform';
import type { Service } from '../src/launcher/services.js';
import { ROOT } from './manifests.js';

/** Settings that a deployment in containers does not pass, each with the reason. */
export const NOT_PASSED: Readonly<Record<string, string>> = {
  DATABASE_CA_FILE: 'tls.caBundle is trusted for all connections; services.NAME.env may name its file too',
  NATS_CA_FILE: 'as the former',
  NATS_CERT_FILE: 'a certificate of the client is a matter of one deployment: services.NAME.env',
  NATS_KEY_FILE: 'as the former',
  OTEL_SERVICE_NAME: 'it would give all processes one name; each has its own by default',
  LOG_FORMAT: 'what collects the logs of containers reads JSON',
};

/** Settings of the page that no service reads. */
export const OF_THE_LAUNCHER: Readonly<Record<string, string>> = {
  NODE_EXTRA_CA_CERTS: 'Node.js itself reads it',
  NATS_SERVER_BIN: 'the launcher starts NATS; in containers it has its own image',
  DATABASE_DIRECT_URL: 'the migration reads it',
  DATABASE_CONNECTIONS_MAX: 'the doctor reads it',
  BACKUP_URL: 'commands of operators read it',
  BACKUP_OVERDUE_HOURS: 'the doctor reads it, by backup.overdueHours of the chart',
  MASTER_KEY: 'every login and key is derived from it before a service starts',
  MASTER_KEY_NEXT: 'as the former',
  MASTER_KEY_PREVIOUS: 'as the former',
};

const LISTED = /readSettings\(\[([^\]]+)\]/g;

/** Names in the lists of settings that a source file reads. */
function listedIn(path: string): string[] {
  const lists = [...readFileSync(join(ROOT, path), 'utf8').matchAll(LISTED)].map(([, listed]) => listed!);
  return lists.flatMap((listed) => [...listed.matchAll(/'([A-Z_]+)'/g)].map(([, name]) => name!));
}

const OF_THE_BUS = ['libs/bus/src/bus.module.ts', 'libs/bus/src/connection.ts'];
const OF_THE_DATABASE = ['libs/database/src/connections.ts', 'libs/database/src/database.module.ts'];

/** Settings that the program of a service reads: its own, those of every process, of the bus and of the database. */
export const settingsReadBy = ({ dir, database }: Service): string[] => {
  const files = [join(dir, 'src/main.ts'), ...OF_THE_BUS, ...(database ? OF_THE_DATABASE : [])];
  return [...new Set([...PROCESS_SETTINGS, ...files.flatMap(listedIn)])];
};

/** Names in the table of docs/operations/settings.md. */
export function settingsOfPage(): string[] {
  const table = readFileSync(join(ROOT, 'docs/operations/settings.md'), 'utf8');
  const firstColumns = table.split('\n').flatMap((line) => /^\| (`[^|]+) \|/.exec(line)?.[1] ?? []);
  return firstColumns.flatMap((cell) => [...cell.matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name!));
}

/** Logins and keys that are derived for one process: they arrive by its file of logins or its Secret. */
export const loginsOf = ({ database, completions, keys }: Service): string[] => [
  'NATS_URL',
  ...(database ? ['DATABASE_URL', 'WORKER_DATABASE_URL'] : []),
  ...(completions ? COMPLETIONS_LOGINS : []),
  ...keys,
];

/** The logins of the traffic service, which only a process with the role of completions is given. */
export const COMPLETIONS_LOGINS = ['NATS_URL', 'DATABASE_URL', 'WORKER_DATABASE_URL', 'PROVIDER_SEAL_KEY'].map(
  (name) => `COMPLETIONS_${name}`,
);

/** What a process closes after its grace, and what an orchestrator waits before it sends SIGTERM. */
export const AFTER_GRACE_SECONDS = 15;
export const BEFORE_STOP_SECONDS = 5;
