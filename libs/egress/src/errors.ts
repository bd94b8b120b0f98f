/** Refused before a byte was sent; the message never contains a resolved address. */
export class EgressDenied extends Error {
  readonly kind = 'egress_denied';
  override readonly name = 'EgressDenied';

  constructor(readonly reason: DeniedReason) {
    super(DENIED[reason]);
  }
}

const DENIED = {
  invalid_url: 'the URL is not valid',
  scheme: 'only http and https URLs may be called',
  userinfo: 'a URL may not carry a user name or password',
  port: 'this port may not be called',
  address: 'the host is not a public address',
};

export type DeniedReason = keyof typeof DENIED;

/** The call, or the silence between two chunks of its response, took too long. */
export class EgressTimeout extends Error {
  readonly kind = 'egress_timeout';
  override readonly name = 'EgressTimeout';

  constructor(readonly reason: 'connect' | 'headers' | 'idle' | 'total') {
    super(`no answer in time (${reason})`);
  }
}

/** A permitted call failed: no connection, a malformed response, too many redirects, or aborted. */
export class EgressFailed extends Error {
  readonly kind = 'egress_failed';
  override readonly name = 'EgressFailed';

  constructor(
    readonly reason: FailedReason,
    message: string,
  ) {
    super(message);
  }
}

export type FailedReason =
  | 'aborted'
  | 'connection'
  | 'dns'
  | 'encoding'
  | 'headers_too_large'
  | 'invalid_request'
  | 'missing_secret'
  | 'redirects'
  | 'too_large';

export type EgressError = EgressDenied | EgressTimeout | EgressFailed;

export function isEgressError(error: unknown): error is EgressError {
  return error instanceof EgressDenied || error instanceof EgressTimeout || error instanceof EgressFailed;
}

const TIMEOUTS: Record<string, EgressTimeout['reason']> = {
  UND_ERR_CONNECT_TIMEOUT: 'connect',
  UND_ERR_HEADERS_TIMEOUT: 'headers',
  UND_ERR_BODY_TIMEOUT: 'idle',
  ETIMEDOUT: 'connect',
};

const UNKNOWN_AUTHORITY = [
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
];
const NOT_TRUSTED: [FailedReason, string] = ['connection', 'the authority of its certificate is not trusted'];

const FAILURES: Record<string, [FailedReason, string]> = {
  ECONNREFUSED: ['connection', 'the connection was refused'],
  ECONNRESET: ['connection', 'the connection was reset'],
  EPIPE: ['connection', 'the connection was reset'],
  UND_ERR_SOCKET: ['connection', 'the connection was closed before the answer was complete'],
  EHOSTUNREACH: ['connection', 'the host cannot be reached'],
  ENETUNREACH: ['connection', 'the host cannot be reached'],
  CERT_HAS_EXPIRED: ['connection', 'its certificate has expired'],
  ERR_TLS_CERT_ALTNAME_INVALID: ['connection', 'its certificate is for another name'],
  ...Object.fromEntries(UNKNOWN_AUTHORITY.map((code) => [code, NOT_TRUSTED])),
  ENOTFOUND: ['dns', 'the host name does not exist'],
  EAI_AGAIN: ['dns', 'the host name could not be resolved'],
  UND_ERR_HEADERS_OVERFLOW: ['headers_too_large', 'the headers of the answer are too large'],
  UND_ERR_INVALID_ARG: ['invalid_request', 'the method or a header is not valid'],
};

/** The message of a network error is dropped because it contains addresses. */
export function toEgressError(error: unknown): EgressError {
  if (isEgressError(error)) return error;
  const code = codeOf(error);
  if (code in TIMEOUTS) return new EgressTimeout(TIMEOUTS[code]!);
  if (code in FAILURES) return new EgressFailed(...FAILURES[code]!);
  if (code === 'HPE_HEADER_OVERFLOW') return new EgressFailed(...FAILURES['UND_ERR_HEADERS_OVERFLOW']!);
  if (code.startsWith('Z_') || code.startsWith('ERR_BROTLI') || code.startsWith('ERR__ERROR')) {
    return new EgressFailed('encoding', 'the answer is not encoded as it says');
  }
  return new EgressFailed('connection', code ? `the call failed (${code})` : 'the call failed');
}

function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : '';
  return typeof code === 'string' && /^[A-Z0-9_]{1,64}$/.test(code) ? code : '';
}
