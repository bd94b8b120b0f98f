import { readBusAddress } from '@signalbox/bus/addresses';
import { join, resolve } from 'node:path';
import { isIP } from 'node:net';
import { pathToFileURL } from 'node:url';

const GATEWAY_SETTINGS = [
  'BODY_MEMORY_MIB',
  'CORS_ORIGINS',
  'GATEWAY_REPLICAS',
  'MAX_CONNECTIONS',
  'MAX_CONNECTIONS_PER_ADDRESS',
  'TRUSTED_PROXIES',
] as const;

export interface Settings {
  port: number;
  host: string;
  dataDir: string;
  databaseUrl: string | null;
  /** Bypasses a pooler, for migrations and commands; default DATABASE_URL. */
  directDatabaseUrl: string | null;
  natsUrl: string | null;
  natsServerBinary: string | null;
  objectStoreUrl: string;
  backupUrl: string | null;
  /** Without a verified backup for longer, the doctor has a problem. */
  backupOverdueHours: number;
  masterKey: string | null;
  /** A second accepted master key: the next or the former one, not both. */
  masterKeyNext: string | null;
  masterKeyPrevious: string | null;
  egressAllow: string;
  publicUrl: string;
  invokeTimeoutSeconds: number;
  rateLimitRps: number;
  /** Of the gateway on loopback; 0 = any free one. */
  healthPort: number;
  logLevel: string;
  /** Read and validated only by the gateway; undefined for the default. */
  gateway: Record<(typeof GATEWAY_SETTINGS)[number], string | undefined>;
  /** Inherited by services unchanged. */
  inherited: Readonly<Record<string, string | undefined>>;
}

export type Environment = Record<string, string | undefined>;

export class BadSettings extends Error {
  override name = 'BadSettings';
  constructor(readonly problems: string[]) {
    super(`These settings cannot be used:\n${problems.map((line) => `  ${line}`).join('\n')}`);
  }
}

const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
const MASTER_KEY_MIN = 32;

/** Read and validated only by services, or for every process of the machine. */
const INHERITED = [
  'PATH',
  'TZ',
  // Read by Node.js when a process starts.
  'NODE_EXTRA_CA_CERTS',
  'AUDIT_RETENTION_DAYS',
  'AUDIT_STREAM_MAX_BYTES',
  'COMPANY_JOBS_AT_ONCE',
  'DATABASE_CA_FILE',
  'DATABASE_CONNECTIONS_MAX',
  'DATABASE_PGBOUNCER',
  'DATABASE_POOL_SIZE',
  'EVENTS_STREAM_MAX_BYTES',
  'EVENTS_STREAM_MAX_HOURS',
  'LOG_FORMAT',
  'NATS_CA_FILE',
  'NATS_CERT_FILE',
  'NATS_KEY_FILE',
  'NATS_REPLICAS',
  'PYTHON_SCRIPTS_AT_ONCE',
  'SCRIPTS_AT_ONCE',
  'SCRIPT_CPU_SECONDS',
  'SCRIPT_JAIL_MIN',
  'SCRIPT_MEMORY_MB',
  'SCRIPT_PROCESSES_WARM',
  'WORK_LEASE_SECONDS',
];

class Reader {
  readonly problems: string[] = [];
  constructor(private readonly environment: Environment) {}

  text(name: string): string | null {
    const value = this.environment[name]?.trim();
    return value === undefined || value === '' ? null : value;
  }

  checked(name: string, problem: string, isGood: (value: string) => boolean): string | null {
    const value = this.text(name);
    if (value === null || isGood(value)) return value;
    // The value may be a secret, so the message does not repeat it.
    this.problems.push(`${name} must be ${problem}`);
    return null;
  }

  postgres(name: string): string | null {
    return this.checked(name, 'a postgres:// URL', (text) => isUrl(text, ['postgres:', 'postgresql:']));
  }

  masterKey(name: string): string | null {
    const problem = `at least ${MASTER_KEY_MIN} characters long`;
    return this.checked(name, problem, (text) => text.length >= MASTER_KEY_MIN);
  }

  number(name: string, otherwise: number, { min, max }: { min: number; max: number }): number {
    const value = this.checked(
      name,
      `a whole number from ${min} to ${max}`,
      // As services read them.
      (text) => /^\d+$/.test(text) && Number(text) >= min && Number(text) <= max,
    );
    return value === null ? otherwise : Number(value);
  }
}

function isUrl(text: string, protocols: string[]): boolean {
  return URL.canParse(text) && protocols.includes(new URL(text).protocol);
}

/** As in libs/database. */
function withCaFile(url: string | null, file: string | null): string | null {
  if (url === null || file === null) return url;
  const changed = new URL(url);
  changed.searchParams.set('sslrootcert', file);
  if (!changed.searchParams.has('sslmode')) changed.searchParams.set('sslmode', 'verify-full');
  return changed.href;
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  const family = isIP(address);
  if (more.length > 0 || family === 0 || bits === undefined || !/^\d{1,3}$/.test(bits)) return false;
  return Number(bits) <= (family === 4 ? 32 : 128);
}

function isHostAndPort(text: string): boolean {
  const match = /^(\[[0-9a-fA-F:.]+\]|[^\s:/,[\]]+):(\d{1,5})$/.exec(text);
  return match !== null && Number(match[2]) >= 1 && Number(match[2]) <= 65535;
}

export function isEgressList(text: string): boolean {
  return text.split(',').every((entry) => isNetwork(entry.trim()) || isHostAndPort(entry.trim()));
}

/** As a client on this machine uses it. */
export function localAddress(host: string, port: number): string {
  if (host === '0.0.0.0' || host === '::') return `127.0.0.1:${port}`;
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

/** Throws one BadSettings with every problem. */
export function readSettings(environment: Environment): Settings {
  const read = new Reader(environment);
  const port = read.number('PORT', 3000, { min: 1, max: 65535 });
  const host = read.checked('HOST', 'a host name or an address', (text) => /^[^\s/@?#]+$/.test(text)) ?? '127.0.0.1';
  const dataDir = resolve(read.text('DATA_DIR') ?? '.data');
  const settings: Settings = {
    port,
    host,
    dataDir,
    databaseUrl: withCaFile(read.postgres('DATABASE_URL'), read.text('DATABASE_CA_FILE')),
    directDatabaseUrl: withCaFile(read.postgres('DATABASE_DIRECT_URL'), read.text('DATABASE_CA_FILE')),
    natsUrl: read.checked(
      'NATS_URL',
      'a nats:// or tls:// URL, or several separated by commas',
      (text) => readBusAddress(text) !== null,
    ),
    natsServerBinary: read.text('NATS_SERVER_BIN'),
    objectStoreUrl:
      read.checked('OBJECT_STORE_URL', 'a file: or s3: URL', (text) => isUrl(text, ['file:', 's3:'])) ??
      `file:${pathToFileURL(join(dataDir, 'objects')).pathname}`,
    backupUrl: read.checked('BACKUP_URL', 'a file: or s3: URL', (text) => isUrl(text, ['file:', 's3:'])),
    // One missed night, and some hours for the backup itself.
    backupOverdueHours: read.number('BACKUP_OVERDUE_HOURS', 50, { min: 1, max: 2160 }),
    masterKey: read.masterKey('MASTER_KEY'),
    masterKeyNext: read.masterKey('MASTER_KEY_NEXT'),
    masterKeyPrevious: read.masterKey('MASTER_KEY_PREVIOUS'),
    egressAllow: read.checked('EGRESS_ALLOW', 'a comma list of host:port or CIDR', isEgressList) ?? '',
    publicUrl: (
      read.checked('PUBLIC_URL', 'an http:// or https:// URL', (text) => isUrl(text, ['http:', 'https:'])) ??
      `http://${localAddress(host, port)}`
    ).replace(/\/+$/, ''),
    invokeTimeoutSeconds: read.number('INVOKE_TIMEOUT_SECONDS', 120, { min: 1, max: 3600 }),
    healthPort: read.number('HEALTH_PORT', 0, { min: 0, max: 65535 }),
    rateLimitRps: read.number('RATE_LIMIT_RPS', 0, { min: 0, max: 1_000_000 }),
    logLevel:
      read.checked('LOG_LEVEL', `one of ${LOG_LEVELS.join(', ')}`, (text) => LOG_LEVELS.includes(text)) ?? 'info',
    gateway: Object.fromEntries(
      GATEWAY_SETTINGS.map((name) => [name, read.text(name) ?? undefined]),
    ) as Settings['gateway'],
    inherited: {
      ...Object.fromEntries(INHERITED.map((name) => [name, environment[name]])),
      // The trace exporter reads more of them than can be listed here.
      ...Object.fromEntries(Object.entries(environment).filter(([name]) => name.startsWith('OTEL_'))),
      NODE_ENV: environment.NODE_ENV ?? 'production',
    },
  };
  if (settings.masterKeyNext !== null && settings.masterKeyPrevious !== null)
    read.problems.push('MASTER_KEY_NEXT and MASTER_KEY_PREVIOUS must not be set together');
  if (read.problems.length > 0) throw new BadSettings(read.problems);
  return settings;
}
