import { ApiError, conflict, StatementTimeout, toApiError } from '@signalbox/contracts';

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

/** The whole transaction may be retried. */
export function isSerializationFailure(error: unknown): boolean {
  const code = codeOf(error as PgError);
  return code === '40001' || code === '40P01';
}

/** Postgres did not reply in time: the connection still waits for it. */
export const isUnanswered = (error: unknown): boolean =>
  error instanceof Error && error.message === 'Query read timeout';

const UNAVAILABLE: readonly [cause: RegExp, message: string][] = [
  [/^(53|57P|08)|^E(CONNREFUSED|NOTFOUND|HOSTUNREACH|NETUNREACH|AI_AGAIN)/, 'the database is down'],
  [/ETIMEDOUT|Query read timeout|due to connection timeout|timeout expired/, 'the database does not respond'],
  [/timeout exceeded when trying to connect/, 'all connections to the database are in use'],
  [/terminat|not queryable|connection (ended|error)|ECONN|EPIPE/i, 'the connection to the database was lost'],
];

function whyUnavailable(error: PgError, code: string | undefined): string | undefined {
  const text = error instanceof Error ? error.message : '';
  return UNAVAILABLE.find(([cause]) => (code !== undefined && cause.test(code)) || cause.test(text))?.[1];
}

const VALUES: Readonly<Record<string, string>> = {
  '22001': 'a text',
  '22003': 'a number',
  '22008': 'a date',
  '22021': 'a character of a text',
  '22P05': 'a character of a text',
};

/**
 * Maps an error of Postgres to the error of the call: bad values 400, violated uniqueness and references 409,
 * unavailable database 503. `uniqueViolations` has the message of the 409 by constraint.
 */
export function fromPostgres(error: unknown, uniqueViolations: Record<string, string> = {}): Error {
  if (error instanceof ApiError) return error;
  const pg = error as PgError;
  const code = codeOf(pg);
  const constraint = pg.driverError?.constraint ?? pg.constraint ?? '';
  if (code === '23505') return conflict(uniqueViolations[constraint] ?? 'the name is taken');
  if (code === '23503') return conflict('a referenced resource does not exist or is still in use');
  if (code?.startsWith('22')) return new ApiError('invalid', `${VALUES[code] ?? 'a value'} is out of bounds`);
  if (code === '23514') return new ApiError('invalid', `a value is out of bounds: ${constraint}`);
  if (code === '57014') return new StatementTimeout();
  const why = whyUnavailable(pg, code);
  if (why) return Object.assign(new ApiError('unavailable', why, { retryAfter: 1 }), { cause: pg });
  return pg instanceof Error ? pg : toApiError(error);
}
