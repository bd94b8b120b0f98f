const WELL_FORMED = /^[A-Za-z0-9._-]{1,128}$/;

/** Ignores a client's id that may be an API key: request ids are logged. */
export function ownRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && WELL_FORMED.test(header) && !header.includes('svk_') ? header : undefined;
}
