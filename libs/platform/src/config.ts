/** How the text of an environment variable becomes a setting. */
interface Setting<T> {
  read: (text: string | undefined) => T;
  says: string;
}

class BadSetting extends Error {}

function required(check: (text: string) => boolean, says: string): Setting<string> {
  return {
    says,
    read: (text) => {
      if (!text) throw new BadSetting('is missing');
      if (!check(text)) throw new BadSetting(`must be ${says}`);
      return text;
    },
  };
}

function withDefault<T>(fallback: T, read: (text: string) => T | undefined, says: string): Setting<T> {
  return {
    says,
    read: (text) => {
      if (text === undefined || text === '') return fallback;
      const value = read(text);
      if (value === undefined) throw new BadSetting(`must be ${says}`);
      return value;
    },
  };
}

function optionalUrl(scheme: RegExp, says: string): Setting<string | null> {
  return withDefault<string | null>(null, (text) => (scheme.test(text) && isUrl(text) ? text : undefined), says);
}

const isUrl = (text: string): boolean => URL.canParse(text);
const int = (text: string, min: number, max: number): number | undefined =>
  /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined;
const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];

const SETTINGS = {
  NATS_URL: required((text) => /^(nats|tls):\/\//.test(text), 'a nats:// URL'),
  DATABASE_URL: required((text) => /^postgres(ql)?:\/\//.test(text), 'a postgres:// URL'),
  WORKER_DATABASE_URL: required((text) => /^postgres(ql)?:\/\//.test(text), 'a postgres:// URL'),
  DATABASE_ADMIN_URL: required((text) => /^postgres(ql)?:\/\//.test(text), 'a postgres:// URL'),
  COMPLETIONS_NATS_URL: optionalUrl(/^(nats|tls):\/\//, 'a nats:// URL'),
  COMPLETIONS_DATABASE_URL: optionalUrl(/^postgres(ql)?:\/\//, 'a postgres:// URL'),
  COMPLETIONS_WORKER_DATABASE_URL: optionalUrl(/^postgres(ql)?:\/\//, 'a postgres:// URL'),
  MASTER_KEY: required((text) => text.length >= 32, 'at least 32 characters'),
  DATA_DIR: withDefault('.data', (text) => text, 'a directory'),
  OBJECT_STORE_URL: withDefault(
    '',
    (text) => (/^(file|s3):/.test(text) && isUrl(text) ? text : undefined),
    'a file: or s3: URL',
  ),
  EGRESS_ALLOW: withDefault<string[]>(
    [],
    (text) =>
      text
        .split(',')
        .map((entry) => entry.trim())
        .filter(Boolean),
    'a comma list of host:port or CIDR',
  ),
  HOST: withDefault('127.0.0.1', (text) => text, 'a host name or address'),
  PORT: withDefault(3000, (text) => int(text, 0, 65_535), 'a port'),
  PUBLIC_URL: withDefault('', (text) => (isUrl(text) ? text.replace(/\/$/, '') : undefined), 'a URL'),
  INVOKE_TIMEOUT_SECONDS: withDefault(120, (text) => int(text, 1, 3600), 'seconds from 1 to 3600'),
  SHUTDOWN_GRACE_SECONDS: withDefault<number | null>(null, (text) => int(text, 0, 3700), 'seconds from 0 to 3700'),
  RATE_LIMIT_RPS: withDefault(0, (text) => int(text, 0, 1_000_000), 'requests per second, 0 = off'),
  HEALTH_PORT: withDefault(0, (text) => int(text, 0, 65_535), 'a port, 0 = none'),
  LOG_LEVEL: withDefault('info', (text) => (LEVELS.includes(text) ? text : undefined), `one of ${LEVELS.join(', ')}`),
} as const;

type SettingName = keyof typeof SETTINGS;
/** All settings with their types. */
export type AllSettings = { [N in SettingName]: ReturnType<(typeof SETTINGS)[N]['read']> };
/** The settings a process asked for. */
export type Settings<N extends SettingName = SettingName> = Pick<AllSettings, N>;

/** Reads the named settings; throws one error that lists every missing or bad name. */
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

/** Calls in flight may last as long as an invocation; the answer then still has to travel. */
const GRACE_AFTER_INVOKE_SECONDS = 5;

/** How long a stopping process waits for its calls in flight: by default as long as an invocation may last. */
export const shutdownGraceMs = (settings: Settings<'INVOKE_TIMEOUT_SECONDS' | 'SHUTDOWN_GRACE_SECONDS'>): number =>
  (settings.SHUTDOWN_GRACE_SECONDS ?? settings.INVOKE_TIMEOUT_SECONDS + GRACE_AFTER_INVOKE_SECONDS) * 1000;
