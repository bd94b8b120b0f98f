import { readSettings, type Settings } from '@signalbox/platform';

/** What a statement may take on a machine that is slow and busy; on a quiet one the longest take a tenth of it. */
export const STATEMENT_MS = 10_000;
/** How long a transaction may wait for its process. */
export const IDLE_MS = 10_000;

type Pooler = Settings<'DATABASE_PGBOUNCER'>['DATABASE_PGBOUNCER'];

const pooler = (): Pooler => readSettings(['DATABASE_PGBOUNCER']).DATABASE_PGBOUNCER;
let known: Pooler | undefined;

/** Whether statements have names on the server: PgBouncer knows them from 1.21 on, and only when it is told to. */
export const hasNamedStatements = (): boolean => (known ??= pooler()) !== 'unnamed';

/**
 * Limits of a session that the server enforces. PgBouncer refuses them at the start of a connection; behind it those of the
 * role hold, which the migration sets.
 */
export const sessionLimits = (): { statement_timeout?: number; idle_in_transaction_session_timeout?: number } =>
  (known ??= pooler()) === 'off'
    ? { statement_timeout: STATEMENT_MS, idle_in_transaction_session_timeout: IDLE_MS }
    : {};

/**
 * The address of Postgres with the certificate authority of DATABASE_CA_FILE. The driver reads the file for each connection,
 * so a renewed one counts at once; without another `sslmode` the server and its name are verified.
 */
export function withCaFile(url: string, file = readSettings(['DATABASE_CA_FILE']).DATABASE_CA_FILE): string {
  if (file === null) return url;
  const changed = new URL(url);
  changed.searchParams.set('sslrootcert', file);
  if (!changed.searchParams.has('sslmode')) changed.searchParams.set('sslmode', 'verify-full');
  return changed.href;
}
