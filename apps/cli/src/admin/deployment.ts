import { NATS_MAX_PAYLOAD, renderNatsConfig } from '@signalbox/servers';
import { natsUsers } from '../launcher/nats-users.js';
import { natsUrlFor, type Platform, secretsOf } from '../launcher/service-environment.js';
import { DEPLOYED } from '../launcher/services.js';
import type { Settings } from '../settings/settings.js';
import { findMasterKey } from '../launcher/bus-address.js';
import { ADMIN_USER } from '../settings/admin-user.js';
import { BadUsage, type Options } from './usage.js';

async function masterKeyOf(settings: Settings): Promise<string> {
  const masterKey = await findMasterKey(settings);
  if (masterKey !== null) return masterKey;
  throw new Error('MASTER_KEY is missing: every password of the platform is derived from it');
}

/** The configuration of a separate nats-server; the same for the same master key. */
export async function natsConfig(options: Options, settings: Settings): Promise<string> {
  return renderNatsConfig({
    host: options.find('host') ?? '0.0.0.0',
    port: options.port('port', 4222),
    monitorPort: options.port('monitor-port', 8222),
    storeDir: options.find('store-dir') ?? '/data',
    maxPayload: NATS_MAX_PAYLOAD,
    users: natsUsers(await masterKeyOf(settings)),
    anonymous: false,
  });
}

const asLines = (urls: Record<string, string>): string =>
  Object.entries(urls)
    .map(([name, url]) => `${name}=${url}\n`)
    .join('');

/** The logins and keys of each service; DATABASE_URL and NATS_URL name the servers. */
export async function roleUrls(options: Options, settings: Settings): Promise<unknown> {
  const { databaseUrl, natsUrl } = settings;
  if (databaseUrl === null || natsUrl === null)
    throw new Error('set DATABASE_URL and NATS_URL to the addresses of the servers');
  const platform: Platform = { settings, databaseUrl, natsUrl, masterKey: await masterKeyOf(settings) };
  const all: Record<string, Record<string, string>> = {
    ...Object.fromEntries(DEPLOYED.map((service) => [service.name, secretsOf(platform, service)])),
    [ADMIN_USER]: { NATS_URL: natsUrlFor(platform, ADMIN_USER) },
  };
  const name = options.find('service');
  if (options.has('env') && name === null) throw new BadUsage('--env needs --service NAME');
  if (name === null) return all;
  const urls = all[name];
  if (urls === undefined) throw new BadUsage(`--service must be one of ${Object.keys(all).join(', ')}`);
  return options.has('env') ? asLines(urls) : urls;
}
