import { busAddressOf, withBusLogin } from '@signalbox/bus/addresses';
import type { Settings } from '../settings/settings.js';
import { acceptedLogins, type MasterKeys, loginOf, type ServiceCredentials, serviceKeys } from '@signalbox/servers';
import { type Service, serviceOf } from './services.js';
import { graceSecondsOf } from './supervisor/shutdown.js';

/** The running platform as the launcher sees it. */
export interface Platform {
  settings: Settings;
  masterKey: string;
  /** The owner's URL of the platform's database. */
  databaseUrl: string;
  /** The bus without a user, or with the one in the operator's NATS_URL. */
  natsUrl: string;
}

/** The master keys that the platform accepts. */
export const masterKeysOf = ({ masterKey, settings }: Pick<Platform, 'masterKey' | 'settings'>): MasterKeys => ({
  current: masterKey,
  next: settings.masterKeyNext,
  previous: settings.masterKeyPrevious,
});

/** A URL with another user in it. */
export function withLogin(url: string, user: string, password: string): string {
  const changed = new URL(url);
  changed.username = encodeURIComponent(user);
  changed.password = encodeURIComponent(password);
  return changed.href;
}

/** The bus URL of one user; a NATS_URL with a user is passed on unchanged, since its operator manages the users. */
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

/** The two URLs under which a service reaches its schema. */
export const databaseUrls = (platform: Platform, name: string): DatabaseUrls =>
  urlsOf(platform, loginOf(masterKeysOf(platform), name));

/** All URLs under which the schema of a service can be reached. */
export function acceptedDatabaseUrls(platform: Platform, name: string): { plain: DatabaseUrls; keyed: DatabaseUrls } {
  const { plain, keyed } = acceptedLogins(masterKeysOf(platform), name);
  return { plain: urlsOf(platform, plain), keyed: urlsOf(platform, keyed) };
}

/** The environment of a process that serves completions itself: the logins and the key of the traffic service. */
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

/** The logins and keys of a service, all of them derived: none reveals those of another service. */
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

/** The whole environment of a service: it inherits nothing that is not listed here. */
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
