import { busAddressOf, withBusLogin } from '@signalbox/bus/addresses';
import type { Settings } from '../settings/settings.js';
import { acceptedLogins, type MasterKeys, loginOf, type ServiceCredentials, serviceKeys } from '@signalbox/servers';
import { type Service, serviceOf } from './services.js';
import { graceSecondsOf } from './supervisor/shutdown.js';

export interface Platform {
  settings: Settings;
  masterKey: string;
  /** Login of the owner. */
  databaseUrl: string;
  /** Without a user, or with the one in the operator's NATS_URL. */
  natsUrl: string;
}

export const masterKeysOf = ({ masterKey, settings }: Pick<Platform, 'masterKey' | 'settings'>): MasterKeys => ({
  current: masterKey,
  next: settings.masterKeyNext,
  previous: settings.masterKeyPrevious,
});

export function withLogin(url: string, user: string, password: string): string {
  const changed = new URL(url);
  changed.username = encodeURIComponent(user);
  changed.password = encodeURIComponent(password);
  return changed.href;
}

/** A NATS_URL with a user is passed on unchanged: its operator manages the users. */
export function natsUrlFor(platform: Platform, service: string): string {
  const { natsUrl } = platform;
  if (busAddressOf(natsUrl).user !== '') return natsUrl;
  const { natsUser: user, natsPassword: password } = loginOf(masterKeysOf(platform), service);
  return withBusLogin(natsUrl, { user, password });
}

type DatabaseUrls = Record<'DATABASE_URL' | 'WORKER_DATABASE_URL', string>;

const urlsOf = (
  { databaseUrl }: Platform,
  { role, password, workerRole, workerPassword }: ServiceCredentials,
): DatabaseUrls => ({
  DATABASE_URL: withLogin(databaseUrl, role, password),
  WORKER_DATABASE_URL: withLogin(databaseUrl, workerRole, workerPassword),
});

export const databaseUrls = (platform: Platform, name: string): DatabaseUrls =>
  urlsOf(platform, loginOf(masterKeysOf(platform), name));

export function acceptedDatabaseUrls(platform: Platform, name: string): { plain: DatabaseUrls; keyed: DatabaseUrls } {
  const { plain, keyed } = acceptedLogins(masterKeysOf(platform), name);
  return { plain: urlsOf(platform, plain), keyed: urlsOf(platform, keyed) };
}

/** For a process that serves completions itself: logins and key of the traffic service. */
export function completionLogins(platform: Platform): Record<string, string> {
  const { DATABASE_URL, WORKER_DATABASE_URL } = databaseUrls(platform, 'traffic');
  return definedOnly({
    COMPLETIONS_NATS_URL: natsUrlFor(platform, 'traffic'),
    COMPLETIONS_DATABASE_URL: DATABASE_URL,
    COMPLETIONS_WORKER_DATABASE_URL: WORKER_DATABASE_URL,
    COMPLETIONS_PROVIDER_SEAL_KEY: serviceKeys(masterKeysOf(platform), 'PROVIDER_SEAL_KEY'),
  });
}

function definedOnly(environment: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** All derived; none reveals those of another service. */
export function secretsOf(platform: Platform, service: Service): Record<string, string> {
  const { database, completions, keys } = service;
  const name = serviceOf(service);
  return {
    NATS_URL: natsUrlFor(platform, name),
    ...(database ? databaseUrls(platform, name) : {}),
    ...(completions ? completionLogins(platform) : {}),
    ...Object.fromEntries(keys.map((key) => [key, serviceKeys(masterKeysOf(platform), key)])),
  };
}

/** A service inherits nothing that is not listed here. */
export function serviceEnvironment(platform: Platform, service: Service): Record<string, string> {
  const { settings } = platform;
  return definedOnly({
    ...settings.inherited,
    ...secretsOf(platform, service),
    // The address of a bucket contains a secret.
    ...(service.objects ? { OBJECT_STORE_URL: settings.objectStoreUrl } : {}),
    DATA_DIR: settings.dataDir,
    EGRESS_ALLOW: settings.egressAllow,
    PUBLIC_URL: settings.publicUrl,
    HOST: settings.host,
    PORT: String(settings.port),
    INVOKE_TIMEOUT_SECONDS: String(settings.invokeTimeoutSeconds),
    SHUTDOWN_GRACE_SECONDS: String(graceSecondsOf(service)),
    RATE_LIMIT_RPS: String(settings.rateLimitRps),
    ...(service.name === 'gateway' ? { ...settings.gateway, HEALTH_PORT: String(settings.healthPort) } : {}),
    LOG_LEVEL: settings.logLevel,
  });
}
