import { isIP } from 'node:net';

interface Setting<T> {
  read: (text: string | undefined) => T;
  description: string;
}

class BadSetting extends Error {}

function required(check: (text: string) => boolean, description: string): Setting<string> {
  return {
    description,
    read: (text) => {
      if (!text) throw new BadSetting('is missing');
      if (!check(text)) throw new BadSetting(`must be ${description}`);
      return text;
    },
  };
}

function withDefault<T>(fallback: T, read: (text: string) => T | undefined, description: string): Setting<T> {
  return {
    description,
    read: (text) => {
      if (text === undefined || text === '') return fallback;
      const value = read(text);
      if (value === undefined) throw new BadSetting(`must be ${description}`);
      return value;
    },
  };
}

const wordsOf = (text: string): string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);

function wordsIf(isGood: (word: string) => boolean): (text: string) => string[] | undefined {
  return (text) => (wordsOf(text).every(isGood) ? wordsOf(text) : undefined);
}

const isOrigin = (text: string): boolean => isUrl(text) && /^https?:\/\//.test(text) && new URL(text).origin === text;

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  return (
    rest.length === 0 && family !== 0 && (bits === undefined || int(bits, 0, family === 6 ? 128 : 32) !== undefined)
  );
}

function optionalUrl(scheme: RegExp, description: string): Setting<string | null> {
  return withDefault<string | null>(null, (text) => (scheme.test(text) && isUrl(text) ? text : undefined), description);
}

const isHex = (text: string, bytes: number): boolean => text.length === bytes * 2 && /^[0-9a-f]+$/.test(text);
const hexOf = (bytes: number): string => `${bytes * 2} hexadecimal digits`;
const hexKeysIn = (text: string | undefined, bytes: number): string[] | undefined => {
  const keys = (text ?? '').split(',');
  return keys.length <= 2 && keys.every((key) => isHex(key, bytes)) ? keys : undefined;
};

/** The first key is for what is new; a second one, after a comma, is accepted too while the master key changes. */
function hexKeys(bytes: number): Setting<string[]> {
  const { read, description } = required((text) => hexKeysIn(text, bytes) !== undefined, hexOf(bytes));
  return { description, read: (text) => hexKeysIn(read(text), bytes) ?? [] };
}

const isUrl = (text: string): boolean => URL.canParse(text);
const int = (text: string, min: number, max: number): number | undefined =>
  /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined;
const truth = (text: string): boolean | undefined =>
  /^(true|false)$/i.test(text) ? text.toLowerCase() === 'true' : undefined;
const OTLP_PROTOCOLS = ['http/protobuf', 'http/json'];

function otlpProtocol(): Setting<string | null> {
  const known = (text: string): string | undefined => (OTLP_PROTOCOLS.includes(text) ? text : undefined);
  return withDefault<string | null>(null, known, OTLP_PROTOCOLS.join(' or '));
}

const MAX_BYTES = 2 ** 50;
/** From the weakest isolation of script processes to the strongest. */
const JAILS = ['none', 'limits', 'user', 'namespaces', 'isolated'] as const;
/** None, or a pooler without or with support for named statements. */
const POOLERS = ['off', 'unnamed', 'named'] as const;
const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const FORMATS = ['json', 'pretty'];

const SETTINGS = {
  // Several servers are separated by commas.
  NATS_URL: required((text) => /^(nats|tls):\/\//.test(text), 'a nats:// or tls:// URL'),
  NATS_CA_FILE: withDefault<string | null>(null, (text) => text, 'a file'),
  NATS_CERT_FILE: withDefault<string | null>(null, (text) => text, 'a file'),
  NATS_KEY_FILE: withDefault<string | null>(null, (text) => text, 'a file'),
  NATS_REPLICAS: withDefault(1, (text) => (/^[135]$/.test(text) ? Number(text) : undefined), '1, 3 or 5'),
  DATABASE_URL: required((text) => /^postgres(ql)?:\/\//.test(text), 'a postgres:// URL'),
  WORKER_DATABASE_URL: required((text) => /^postgres(ql)?:\/\//.test(text), 'a postgres:// URL'),
  DATABASE_CA_FILE: withDefault<string | null>(null, (text) => text, 'a file'),
  DATABASE_PGBOUNCER: withDefault<(typeof POOLERS)[number]>(
    'off',
    (text) => POOLERS.find((each) => each === text),
    `one of ${POOLERS.join(', ')}`,
  ),
  DATABASE_CONNECTIONS_MAX: withDefault(0, (text) => int(text, 0, 1_000_000), 'a number of connections, 0 = unknown'),
  DATABASE_POOL_SIZE: withDefault(10, (text) => int(text, 2, 200), 'connections from 2 to 200'),
  COMPLETIONS_NATS_URL: withDefault<string | null>(
    null,
    (text) => (/^(nats|tls):\/\//.test(text) ? text : undefined),
    'a nats:// or tls:// URL',
  ),
  COMPLETIONS_DATABASE_URL: optionalUrl(/^postgres(ql)?:\/\//, 'a postgres:// URL'),
  COMPLETIONS_WORKER_DATABASE_URL: optionalUrl(/^postgres(ql)?:\/\//, 'a postgres:// URL'),
  PROVIDER_SEAL_KEY: hexKeys(32),
  API_KEY_PEPPER: hexKeys(32),
  KEY_PEPPER: hexKeys(64),
  WEBHOOK_SEAL_KEY: hexKeys(32),
  IDEMPOTENCY_KEY: hexKeys(32),
  COMPLETIONS_PROVIDER_SEAL_KEY: withDefault<string[] | null>(null, (text) => hexKeysIn(text, 32), hexOf(32)),
  DATA_DIR: withDefault('.data', (text) => text, 'a directory'),
  OBJECT_STORE_URL: withDefault(
    '',
    (text) => (/^(file|s3):/.test(text) && isUrl(text) ? text : undefined),
    'a file: or s3: URL',
  ),
  EGRESS_ALLOW: withDefault<string[]>([], wordsOf, 'a comma list of host:port or CIDR'),
  HOST: withDefault('127.0.0.1', (text) => text, 'a host name or address'),
  PORT: withDefault(3000, (text) => int(text, 0, 65_535), 'a port'),
  PUBLIC_URL: withDefault('', (text) => (isUrl(text) ? text.replace(/\/$/, '') : undefined), 'a URL'),
  INVOKE_TIMEOUT_SECONDS: withDefault(120, (text) => int(text, 1, 3600), 'seconds from 1 to 3600'),
  SHUTDOWN_GRACE_SECONDS: withDefault<number | null>(null, (text) => int(text, 0, 3700), 'seconds from 0 to 3700'),
  COMPANY_JOBS_AT_ONCE: withDefault(0, (text) => int(text, 0, 10_000), 'jobs from 1 to 10000, 0 = the default'),
  WORK_LEASE_SECONDS: withDefault(30, (text) => int(text, 5, 300), 'seconds from 5 to 300'),
  SCRIPTS_AT_ONCE: withDefault(16, (text) => int(text, 1, 1000), 'a number of scripts from 1 to 1000'),
  PYTHON_SCRIPTS_AT_ONCE: withDefault(4, (text) => int(text, 1, 1000), 'a number of scripts from 1 to 1000'),
  SCRIPT_PROCESSES_WARM: withDefault(2, (text) => int(text, 1, 100), 'a number of processes from 1 to 100'),
  SCRIPT_CPU_SECONDS: withDefault(10, (text) => int(text, 1, 3600), 'seconds from 1 to 3600'),
  SCRIPT_JAIL_MIN: withDefault<(typeof JAILS)[number]>(
    'none',
    (text) => JAILS.find((each) => each === text),
    `one of ${JAILS.join(', ')}`,
  ),
  SCRIPT_MEMORY_MB: withDefault(
    0,
    (text) => (text === '0' ? 0 : int(text, 256, 1_048_576)),
    'MB from 256, 0 = three quarters of the memory',
  ),
  RATE_LIMIT_RPS: withDefault(0, (text) => int(text, 0, 1_000_000), 'requests per second, 0 = off'),
  GATEWAY_REPLICAS: withDefault(1, (text) => int(text, 1, 1000), 'a number of processes'),
  CORS_ORIGINS: withDefault<string[]>([], wordsIf(isOrigin), 'a comma list of origins such as https://app.example.com'),
  BODY_MEMORY_MIB: withDefault(256, (text) => int(text, 64, 65_536), 'MiB from 64 to 65536'),
  MAX_CONNECTIONS: withDefault(4000, (text) => int(text, 1, 1_000_000), 'a number of connections'),
  MAX_CONNECTIONS_PER_ADDRESS: withDefault(1000, (text) => int(text, 1, 1_000_000), 'a number of connections'),
  TRUSTED_PROXIES: withDefault<string[]>([], wordsIf(isNetwork), 'a comma list of addresses or CIDR'),
  EVENTS_STREAM_MAX_BYTES: withDefault(
    1_073_741_824,
    (text) => int(text, 1_048_576, MAX_BYTES),
    'bytes, at least 1 MiB',
  ),
  EVENTS_STREAM_MAX_HOURS: withDefault(168, (text) => int(text, 1, 8760), 'hours from 1 to 8760'),
  AUDIT_STREAM_MAX_BYTES: withDefault(
    1_073_741_824,
    (text) => int(text, 1_048_576, MAX_BYTES),
    'bytes, at least 1 MiB',
  ),
  HEALTH_HOST: withDefault('127.0.0.1', (text) => text, 'a host name or address'),
  AUDIT_RETENTION_DAYS: withDefault(1095, (text) => int(text, 30, 36_500), 'days from 30 to 36500'),
  HEALTH_PORT: withDefault(0, (text) => int(text, 0, 65_535), 'a port, 0 = none'),
  OTEL_SDK_DISABLED: withDefault(false, truth, 'true or false'),
  OTEL_SERVICE_NAME: withDefault('', (text) => text, 'a name'),
  OTEL_TRACES_EXPORTER: withDefault<string | null>(
    null,
    (text) => (['otlp', 'none'].includes(text) ? text : undefined),
    'otlp or none',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: optionalUrl(/^https?:\/\//, 'an http:// or https:// URL'),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: optionalUrl(/^https?:\/\//, 'an http:// or https:// URL'),
  OTEL_EXPORTER_OTLP_PROTOCOL: otlpProtocol(),
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: otlpProtocol(),
  REFUSE_CALLS_IN_TRANSACTIONS: withDefault(false, truth, 'true or false'),
  LOG_FORMAT: withDefault(
    'json',
    (text) => (FORMATS.includes(text) ? text : undefined),
    `one of ${FORMATS.join(', ')}`,
  ),
  LOG_LEVEL: withDefault('info', (text) => (LEVELS.includes(text) ? text : undefined), `one of ${LEVELS.join(', ')}`),
} as const;

type SettingName = keyof typeof SETTINGS;
export type AllSettings = { [N in SettingName]: ReturnType<(typeof SETTINGS)[N]['read']> };
export type Settings<N extends SettingName = SettingName> = Pick<AllSettings, N>;

/** Throws one error that lists every missing or invalid name. */
export function readSettings<N extends SettingName>(
  names: readonly N[],
  env: Record<string, string | undefined> = process.env,
): Settings<N> {
  const problems: string[] = [];
  const settings: Partial<Record<SettingName, unknown>> = {};
  for (const name of names) {
    try {
      settings[name] = SETTINGS[name].read(env[name]);
    } catch (error) {
      if (!(error instanceof BadSetting)) throw error;
      problems.push(`${name} ${error.message}`);
    }
  }
  if (problems.length > 0) throw new Error(`settings: ${problems.join('; ')}`);
  return settings as Settings<N>;
}

/** How long jobs and events of a silent process wait; secrets are given up after half of it. */
export const workLeaseMs = (): number => readSettings(['WORK_LEASE_SECONDS']).WORK_LEASE_SECONDS * 1000;

/** For the delivery of the last reply. */
const GRACE_AFTER_INVOKE_SECONDS = 5;

export const shutdownGraceMs = (settings: Settings<'INVOKE_TIMEOUT_SECONDS' | 'SHUTDOWN_GRACE_SECONDS'>): number =>
  (settings.SHUTDOWN_GRACE_SECONDS ?? settings.INVOKE_TIMEOUT_SECONDS + GRACE_AFTER_INVOKE_SECONDS) * 1000;
