import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { busAddressOf, withBusLogin } from '@signalbox/bus/addresses';
import { findEndpoints } from './data-directory.js';
import { ADMIN_USER } from '../settings/admin-user.js';
import type { Settings } from '../settings/settings.js';
import { serviceCredentials } from '@signalbox/servers';

/** The master key of this machine; a command never generates one, since no service would have it. */
export async function findMasterKey({ masterKey, dataDir }: Settings): Promise<string | null> {
  if (masterKey !== null) return masterKey;
  const kept = await readFile(join(dataDir, 'master-key'), 'utf8').catch(() => '');
  return kept.trim() || null;
}

/** The address of the bus for commands: NATS_URL, else the platform that runs on DATA_DIR. */
export async function busAddress(settings: Settings): Promise<string> {
  if (settings.natsUrl === null) {
    const endpoints = await findEndpoints(settings.dataDir);
    if (endpoints !== null) return endpoints.nats_url;
    throw new Error(`no platform runs on ${settings.dataDir}: start it, or set DATA_DIR or NATS_URL to one that does`);
  }
  const masterKey = await findMasterKey(settings);
  if (busAddressOf(settings.natsUrl).user !== '' || masterKey === null) return settings.natsUrl;
  const password = serviceCredentials(masterKey, ADMIN_USER).natsPassword;
  return withBusLogin(settings.natsUrl, { user: ADMIN_USER, password });
}
