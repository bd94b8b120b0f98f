/** The headers that say where a request comes from. */
export interface OriginHeaders {
  'sec-fetch-site'?: string | string[] | undefined;
  origin?: string | undefined;
  host?: string | undefined;
}

const READS = ['GET', 'HEAD'];

/** Whether an `Origin` is that of the address that was called, or of the platform's public address. */
function isOwnOrigin(origin: string, host: string | undefined, publicOrigin: string): boolean {
  if (origin === publicOrigin) return true;
  return URL.canParse(origin) && host !== undefined && new URL(origin).host === host.toLowerCase();
}

/**
 * Whether a request was made by a page of the platform, so that its cookie may speak for the user. Browsers send a
 * cookie with `SameSite=Strict` from every port of the same host, so the cookie alone proves nothing. `Sec-Fetch-Site`
 * decides; where a browser sends none (plain HTTP on the name of a host), `Origin` does.
 */
export function isOwnPage(method: string, headers: OriginHeaders, publicOrigin: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || (site === 'none' && READS.includes(method));
  const { origin, host } = headers;
  return origin === undefined ? READS.includes(method) : isOwnOrigin(origin, host, publicOrigin);
}
