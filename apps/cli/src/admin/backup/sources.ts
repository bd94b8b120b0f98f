import { KEEP_ALIVE } from '@signalbox/database/tenancy';
import pg from 'pg';
import { findMasterKey } from '../../launcher/bus-address.js';
import { findEndpoints } from '../../launcher/data-directory.js';
import type { Platform } from '../../launcher/service-environment.js';
import { schemaOwners, SERVICES } from '../../launcher/services.js';
import type { Settings } from '../../settings/settings.js';
import { BadUsage, type Options } from '../../usage.js';
import { addressBelow, type BackupStore, openBackupStore } from './backup-store.js';
import { kindOf } from './pruning.js';

const CONNECT_MS = 15_000;
const PROGRESS_MS = 5000;

export const OWNERS = schemaOwners(SERVICES);

export const STORING = SERVICES.filter(({ objects }) => objects).map(({ name }) => name);

/**
 * An option, BACKUP_URL, or what the option names below it, as `admin backups` does: an address with a secret must not
 * be an argument.
 */
export function placeOf(options: Options, name: 'to' | 'from', { backupUrl }: Pick<Settings, 'backupUrl'>): string {
  const given = options.find(name);
  if (given !== null && backupUrl !== null && kindOf(given) !== null) return addressBelow(backupUrl, given);
  const address = given ?? backupUrl;
  if (address === null) throw new BadUsage(`--${name} is missing, and BACKUP_URL is not set`);
  return address;
}

export async function withPlace<T>(
  options: Options,
  name: 'to' | 'from',
  settings: Settings,
  work: (store: BackupStore) => Promise<T>,
): Promise<T> {
  const store = openBackupStore(placeOf(options, name, settings));
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
  const natsUrl = settings.natsUrl ?? '';
  const given = settings.directDatabaseUrl ?? settings.databaseUrl;
  if (given !== null) return { settings, masterKey, databaseUrl: given, natsUrl };
  const local = await findEndpoints(settings.dataDir);
  if (local === null) throw new Error(`no platform runs on ${settings.dataDir}: set DATABASE_URL`);
  // Its objects may be in a bucket that this command was not told of.
  const ofPlatform = { ...settings, objectStoreUrl: local.object_store_url };
  return { settings: ofPlatform, masterKey, databaseUrl: local.database_url, natsUrl };
}

/** As the owner, without a statement time-out. */
export async function withSession<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: 0,
    idle_in_transaction_session_timeout: 0,
    ...KEEP_ALIVE,
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
