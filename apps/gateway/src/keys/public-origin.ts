/** The names by which a browser calls a server of its own machine. */
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** The origin that browsers send for the public address of the platform; empty when there is none. */
export const publicOriginOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : '');

/** Every origin of the public address: with each name of this machine when it is one of them. */
export function publicOriginsOf(url: string): ReadonlySet<string> {
  const origin = publicOriginOf(url);
  if (origin === '') return new Set();
  const { protocol, hostname, port } = new URL(origin);
  if (!LOOPBACK.includes(hostname)) return new Set([origin]);
  return new Set(LOOPBACK.map((name) => new URL(`${protocol}//${name}:${port}`).origin));
}
