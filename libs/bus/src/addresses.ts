export interface BusAddress {
  /** `host:port` of each server; any of them leads to all of a cluster. */
  servers: string[];
  user: string;
  password: string;
  isTls: boolean;
}

const SCHEME = /^(nats|tls):\/\//;

/** Servers separated by commas, with one scheme and one login; null when it is not that. */
export function readBusAddress(text: string): BusAddress | null {
  const scheme = SCHEME.exec(text)?.[0];
  if (scheme === undefined) return null;
  const entries = text.split(',').map((each) => each.trim());
  const urls = entries.map((each) => (each.includes('://') ? each : scheme + each));
  if (!urls.every((url) => url.startsWith(scheme) && URL.canParse(url))) return null;
  const parsed = urls.map((url) => new URL(url));
  if (!parsed.every(({ host, pathname }) => host !== '' && pathname.length <= 1)) return null;
  const logins = new Set(
    parsed.filter(({ username }) => username !== '').map((url) => `${url.username}:${url.password}`),
  );
  if (logins.size > 1) return null;
  const { username = '', password = '' } = parsed.find((url) => url.username !== '') ?? {};
  return {
    servers: parsed.map(({ host }) => host),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    isTls: scheme === 'tls://',
  };
}

export function busAddressOf(text: string): BusAddress {
  const address = readBusAddress(text);
  if (!address) throw new Error('NATS_URL must be a nats:// or tls:// URL, or several separated by commas');
  return address;
}

export function withBusLogin(text: string, login: { user: string; password: string } | null): string {
  const { servers, isTls } = busAddressOf(text);
  const before = login ? `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}@` : '';
  return servers.map((server, at) => `${isTls ? 'tls' : 'nats'}://${at === 0 ? before : ''}${server}`).join(',');
}
