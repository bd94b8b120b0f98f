const WELL_FORMED = /^[A-Za-z0-9._-]{1,128}$/;

/** The client's own request id when it may be used; one that looks like a key must not reach a log. */
export function ownRequestId(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && WELL_FORMED.test(header) && !header.includes('svk_') ? header : undefined;
}
