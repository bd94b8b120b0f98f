import { ApiError, conflict, toApiError } from '@signalbox/contracts';

interface PgError extends Error {
  code?: string;
  constraint?: string;
  driverError?: PgError;
}

const CODE = /^[0-9A-Z]{5}$/;

function codeOf(error: PgError): string | undefined {
  const code = error.driverError?.code ?? error.code;
  return code !== undefined && (CODE.test(code) || code.startsWith('E')) ? code : undefined;
}

/** True for errors after which the same transaction may be retried. */
export function isSerializationFailure(error: unknown): boolean {
  const code = codeOf(error as PgError);
  return code === '40001' || code === '40P01';
}

/** True when Postgres was silent for longer than a statement may take: the connection still waits for its reply. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout';

const UNAVAILABLE = /^(53|57P|08)|^E(CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|NOTFOUND|HOSTUNREACH|NETUNREACH|AI_AGAIN)/;
const GONE =
  /terminat|Query read timeout|timeout exceeded when trying to connect|not queryable|connection (ended|error)|ECONN/i;

/**
 * Maps an error of Postgres to the error of the call: bad values are 400, violated uniqueness and references 409, an
 * unavailable database 503. `taken` contains the message of the 409 for a unique constraint by its name.
 */
export function fromPostgres(error: unknown, taken: Record<string, string> = {}): Error {
  if (error instanceof ApiError) return error;
  const pg = error as PgError;
  const code = codeOf(pg);
  const constraint = pg.driverError?.constraint ?? pg.constraint ?? '';
  if (code === '23505') return conflict(taken[constraint] ?? 'the name is taken');
  if (code === '23503') return conflict('a thing that this refers to does not exist or is still in use');
  if (code?.startsWith('22') || code === '23514') return new ApiError('invalid', 'a value is out of bounds');
  if (code === '57014') return new ApiError('timeout', 'the database took too long');
  if ((code && UNAVAILABLE.test(code)) || (pg instanceof Error && GONE.test(pg.message)))
    return Object.assign(new ApiError('unavailable', 'the database is down', { retryAfter: 1 }), { cause: pg });
  return pg instanceof Error ? pg : toApiError(error);
}
