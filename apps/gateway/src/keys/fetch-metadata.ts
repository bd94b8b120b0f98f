export interface OriginHeaders {
  'sec-fetch-site'?: string | string[] | undefined;
  origin?: string | undefined;
  host?: string | undefined;
}

const READS = ['GET', 'HEAD'];

function isOwnOrigin(origin: string, host: string | undefined, publicOrigin: string): boolean {
  if (origin === publicOrigin) return true;
  return URL.canParse(origin) && host !== undefined && new URL(origin).host === host.toLowerCase();
}

/**
 * Whether a page of the platform made a request, so that its cookie may authenticate it. Browsers send a cookie with
 * `SameSite=Strict` from every port of the same host, so the cookie alone proves nothing. `Sec-Fetch-Site` decides;
 * `Origin` does where a browser sends none (plain HTTP on a host name).
 */
export function isOwnPage(method: string, headers: OriginHeaders, publicOrigin: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin' || (site === 'none' && READS.includes(method));
  const { origin, host } = headers;
  return origin === undefined ? READS.includes(method) : isOwnOrigin(origin, host, publicOrigin);
}
