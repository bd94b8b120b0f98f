const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Empty when `url` is not valid, as without a public address. */
export const publicOriginOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : '');

/** A loopback address is reachable by all loopback names, each of which is an origin of its own. */
export function publicOriginsOf(url: string): ReadonlySet<string> {
  const origin = publicOriginOf(url);
  if (origin === '') return new Set();
  const { protocol, hostname, port } = new URL(origin);
  if (!LOOPBACK.includes(hostname)) return new Set([origin]);
  return new Set(LOOPBACK.map((name) => new URL(`${protocol}//${name}:${port}`).origin));
}
