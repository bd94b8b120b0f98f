import pg from 'pg';
import { findMasterKey } from '../../launcher/bus-address.js';
import { findEndpoints } from '../../launcher/data-directory.js';
import type { Platform } from '../../launcher/service-environment.js';
import { schemaOwners, SERVICES } from '../../launcher/services.js';
import type { Settings } from '../../settings/settings.js';
import { BadUsage, type Options } from '../usage.js';
import { type BackupStore, openBackupStore } from './backup-store.js';

const CONNECT_MS = 15_000;
const PROGRESS_MS = 5000;

/** The services that own a schema. */
export const OWNERS = schemaOwners(SERVICES);

/** The services that store objects, by name. */
export const STORING = SERVICES.filter(({ objects }) => objects).map(({ name }) => name);

/** Uses the store that an option names, or BACKUP_URL: an address with a secret in it does not belong into arguments. */
export async function withPlace<T>(
  options: Options,
  name: 'to' | 'from',
  settings: Settings,
  work: (store: BackupStore) => Promise<T>,
): Promise<T> {
  const address = options.find(name) ?? settings.backupUrl;
  if (address === null) throw new BadUsage(`--${name} is missing, and BACKUP_URL is not set`);
  const store = openBackupStore(address);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** Postgres by DATABASE_URL, else that of the platform that runs on DATA_DIR. */
export async function platformOf(settings: Settings): Promise<Platform> {
  const masterKey = await findMasterKey(settings);
  if (masterKey === null)
    throw new Error('MASTER_KEY is missing: a backup notes its fingerprint, and logins follow from it');
  const databaseUrl =
    settings.directDatabaseUrl ?? settings.databaseUrl ?? (await findEndpoints(settings.dataDir))?.database_url;
  if (!databaseUrl) throw new Error(`no platform runs on ${settings.dataDir}: set DATABASE_URL`);
  return { settings, masterKey, databaseUrl, natsUrl: settings.natsUrl ?? '' };
}

/** Uses one session of the owner; statements take as long as they need. */
export async function withSession<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: 0,
    idle_in_transaction_session_timeout: 0,
  });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Lines on standard error, at most one in some seconds, and those that are `said` at once. */
export class Progress {
  private last = Date.now();

  at(text: string): void {
    if (Date.now() - this.last >= PROGRESS_MS) this.say(text);
  }

  say(text: string): void {
    this.last = Date.now();
    process.stderr.write(`${text}\n`);
  }
}
