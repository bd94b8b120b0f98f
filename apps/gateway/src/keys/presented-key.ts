export interface KeyHeaders {
  'x-service-api-key'?: string | string[] | undefined;
  authorization?: string | undefined;
}

/** With `bearer`, models are listed in the format of OpenAI. */
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

/** `X-Service-Api-Key` takes precedence. Node joins a header that was sent twice with a comma: that is no valid key. */
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
