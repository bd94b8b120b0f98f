/** The headers a key can arrive in. */
export interface KeyHeaders {
  'x-service-api-key'?: string | string[] | undefined;
  authorization?: string | undefined;
}

/** A key as the client presented it; `bearer` decides the shape of the reply. */
export interface PresentedKey {
  text: string;
  bearer: boolean;
}

const BEARER = /^bearer +(\S+) *$/i;

/** Node keeps only the first of several `Authorization` headers, so they are counted in the raw list. */
function sentOnce(rawHeaders: readonly string[], name: string): boolean {
  let seen = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === name) seen++;
  return seen === 1;
}

/**
 * The key of a request, null when there is none. `X-Service-Api-Key` takes precedence; a header sent twice arrives
 * joined by a comma and is no key then.
 */
export function presentedKey(
  headers: KeyHeaders,
  allowBearer: boolean,
  rawHeaders: readonly string[],
): PresentedKey | null {
  const service = headers['x-service-api-key'];
  if (service !== undefined) return typeof service === 'string' ? { text: service, bearer: false } : null;
  if (!allowBearer || headers.authorization === undefined) return null;
  const text = BEARER.exec(headers.authorization)?.[1];
  return text !== undefined && sentOnce(rawHeaders, 'authorization') ? { text, bearer: true } : null;
}
