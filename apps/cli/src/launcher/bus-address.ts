import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { busAddressOf, withBusLogin } from '@signalbox/bus/addresses';
import { findEndpoints } from './data-directory.js';
import { ADMIN_USER } from '../settings/admin-user.js';
import type { Settings } from '../settings/settings.js';
import { type MasterKeys, loginOf } from '@signalbox/servers';

/** A command never generates a key, which no service would have. */
export async function findMasterKey({ masterKey, dataDir }: Settings): Promise<string | null> {
  if (masterKey !== null) return masterKey;
  const kept = await readFile(join(dataDir, 'master-key'), 'utf8').catch(() => '');
  return kept.trim() || null;
}

export async function findMasterKeys(settings: Settings): Promise<MasterKeys | null> {
  const current = await findMasterKey(settings);
  return current === null ? null : { current, next: settings.masterKeyNext, previous: settings.masterKeyPrevious };
}

/** NATS_URL, else the platform that runs on DATA_DIR. */
export async function busAddress(settings: Settings): Promise<string> {
  if (settings.natsUrl === null) {
    const endpoints = await findEndpoints(settings.dataDir);
    if (endpoints !== null) return endpoints.nats_url;
    throw new Error(`no platform runs on ${settings.dataDir}: start it, or set DATA_DIR or NATS_URL to one that does`);
  }
  const keys = await findMasterKeys(settings);
  if (busAddressOf(settings.natsUrl).user !== '' || keys === null) return settings.natsUrl;
  const { natsUser: user, natsPassword: password } = loginOf(keys, ADMIN_USER);
  return withBusLogin(settings.natsUrl, { user, password });
}
