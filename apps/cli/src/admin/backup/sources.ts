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

export const OWNERS = schemaOwners(SERVICES);

export const STORING = SERVICES.filter(({ objects }) => objects).map(({ name }) => name);

/** From an option or BACKUP_URL: an address with a secret must not be an argument. */
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

export async function platformOf(settings: Settings): Promise<Platform> {
  const masterKey = await findMasterKey(settings);
  if (masterKey === null)
    throw new Error('MASTER_KEY is missing: a backup notes its fingerprint, and logins follow from it');
  const databaseUrl =
    settings.directDatabaseUrl ?? settings.databaseUrl ?? (await findEndpoints(settings.dataDir))?.database_url;
  if (!databaseUrl) throw new Error(`no platform runs on ${settings.dataDir}: set DATABASE_URL`);
  return { settings, masterKey, databaseUrl, natsUrl: settings.natsUrl ?? '' };
}

/** As the owner, without a statement time-out. */
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

/** On standard error, at most one line in some seconds, except those of `say`. */
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
