import {
  type MasterKeys,
  NATS_MAX_PAYLOAD,
  type NatsCluster,
  type NatsTls,
  renderNatsConfig,
  routePasswords,
} from '@signalbox/servers';
import { natsUsers } from '../launcher/nats-users.js';
import { natsUrlFor, type Platform, secretsOf } from '../launcher/service-environment.js';
import { DEPLOYED } from '../launcher/services.js';
import type { Settings } from '../settings/settings.js';
import { findMasterKeys } from '../launcher/bus-address.js';
import { ADMIN_USER } from '../settings/admin-user.js';
import { BadUsage, type Options } from '../usage.js';

const ROUTE_PORT = 6222;

async function keysOf(settings: Settings): Promise<MasterKeys> {
  const keys = await findMasterKeys(settings);
  if (keys !== null) return keys;
  throw new Error('MASTER_KEY is missing: every password of the platform is derived from it');
}

/** From `--routes host[:port],…`; each server takes its own name from the environment. */
function clusterOf(options: Options, keys: MasterKeys): { cluster?: NatsCluster } {
  const routes = options.find('routes') === null ? [] : options.list('routes');
  if (routes.length === 0) return {};
  if (!routes.every((route) => URL.canParse(`nats://${route}`))) throw new BadUsage('--routes takes host[:port],…');
  return {
    cluster: {
      serverName: '$NATS_SERVER_NAME',
      host: '0.0.0.0',
      port: ROUTE_PORT,
      routes: routes.map((route) => (/:\d+$/.test(route) ? route : `${route}:${ROUTE_PORT}`)),
      ...routePasswords(keys),
    },
  };
}

/** Files on the machine of the server. */
function tlsOf(options: Options): { tls?: NatsTls } {
  const [certFile, keyFile, clientCaFile] = ['tls-cert', 'tls-key', 'tls-client-ca'].map((name) => options.find(name));
  if (!certFile !== !keyFile) throw new BadUsage('--tls-cert and --tls-key belong together');
  if (!certFile || !keyFile) return {};
  return { tls: { certFile, keyFile, ...(clientCaFile ? { clientCaFile } : {}) } };
}

/** For a separate nats-server, or each of a cluster; the same for the same master key. */
export async function natsConfig(options: Options, settings: Settings): Promise<string> {
  const keys = await keysOf(settings);
  return renderNatsConfig({
    host: options.find('host') ?? '0.0.0.0',
    port: options.port('port', 4222),
    monitorPort: options.port('monitor-port', 8222),
    storeDir: options.find('store-dir') ?? '/data',
    maxPayload: NATS_MAX_PAYLOAD,
    users: natsUsers(keys),
    anonymous: false,
    ...clusterOf(options, keys),
    ...tlsOf(options),
  });
}

const asLines = (urls: Record<string, string>): string =>
  Object.entries(urls)
    .map(([name, url]) => `${name}=${url}\n`)
    .join('');

export async function roleUrls(options: Options, settings: Settings): Promise<unknown> {
  const { databaseUrl, natsUrl } = settings;
  if (databaseUrl === null || natsUrl === null)
    throw new Error('set DATABASE_URL and NATS_URL to the addresses of the servers');
  const platform: Platform = { settings, databaseUrl, natsUrl, masterKey: (await keysOf(settings)).current };
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
