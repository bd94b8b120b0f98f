export interface ParserError {
  status: number;
  reason: string;
  message: string;
}

const MALFORMED: ParserError = { status: 400, reason: 'Bad Request', message: 'the request is not valid HTTP' };

const PARSER_ERRORS: Record<string, ParserError> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    reason: 'Request Header Fields Too Large',
    message: 'the headers are larger than 16 KiB',
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: 413,
    reason: 'Payload Too Large',
    message: 'the chunk extensions are too large',
  },
  CONNECTIONS: { status: 503, reason: 'Service Unavailable', message: 'too many connections are open' },
  CONNECT: { ...MALFORMED, message: 'CONNECT is not supported' },
  // 400, because 408 is not among the documented statuses.
  ERR_HTTP_REQUEST_TIMEOUT: { ...MALFORMED, message: 'the request did not arrive in time' },
};

export const parserErrorOf = (code: string | undefined): ParserError => PARSER_ERRORS[code ?? ''] ?? MALFORMED;

/** For a raw socket; the connection closes after it. */
export function parserErrorResponse({ status, reason, message }: ParserError, requestId: string): string {
  const body = JSON.stringify({ error: { status, message } });
  return [
    `HTTP/1.1 ${status} ${reason}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${body.length}`,
    `X-Request-Id: ${requestId}`,
    'X-Content-Type-Options: nosniff',
    ...(status === 503 ? ['Retry-After: 1'] : []),
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
