import { readSettings, type Settings } from '@signalbox/platform';

/** Bound of a statement on a slow and busy machine; on an idle one the longest take a tenth of it. */
export const STATEMENT_MS = 10_000;
/** Bound of a transaction that is idle because its process is. */
export const IDLE_MS = 10_000;

type Pooler = Settings<'DATABASE_PGBOUNCER'>['DATABASE_PGBOUNCER'];

const pooler = (): Pooler => readSettings(['DATABASE_PGBOUNCER']).DATABASE_PGBOUNCER;
let known: Pooler | undefined;

/** Whether statements have names on the server: PgBouncer supports them from 1.21 on, when configured to. */
export const hasNamedStatements = (): boolean => (known ??= pooler()) !== 'unnamed';

/**
 * Session limits that the server enforces. PgBouncer refuses them at connect; behind it those apply that the migration
 * sets for the role.
 */
export const sessionLimits = (): { statement_timeout?: number; idle_in_transaction_session_timeout?: number } =>
  (known ??= pooler()) === 'off'
    ? { statement_timeout: STATEMENT_MS, idle_in_transaction_session_timeout: IDLE_MS }
    : {};

/**
 * Adds the certificate authority of DATABASE_CA_FILE. The driver reads the file for each connection, so a renewed one
 * applies at once; without another `sslmode` the certificate and host name are verified.
 */
export function withCaFile(url: string, file = readSettings(['DATABASE_CA_FILE']).DATABASE_CA_FILE): string {
  if (file === null) return url;
  const changed = new URL(url);
  changed.searchParams.set('sslrootcert', file);
  if (!changed.searchParams.has('sslmode')) changed.searchParams.set('sslmode', 'verify-full');
  return changed.href;
}
