import { isIP } from 'node:net';
import { canonicalHost, isWebPort, type AllowList } from './allow-list.js';
import { EgressDenied } from '../errors.js';

const MAX_URL_LENGTH = 8_192;
// Local on every system: refused without a resolver query.
const LOCAL_NAMES = /(^|\.)(localhost|localdomain|local|internal|intranet|lan|home\.arpa)$/;

/** Throws unless scheme, user info, port and a literal address are permitted. */
export function checkTarget(text: string, allow: AllowList, base?: URL): URL {
  const parses = text.length <= MAX_URL_LENGTH && URL.canParse(text, base?.href);
  if (!parses) throw new EgressDenied('invalid_url');
  const url = new URL(text, base?.href);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new EgressDenied('scheme');
  if (url.username !== '' || url.password !== '') throw new EgressDenied('userinfo');
  checkHost(canonicalHost(url.hostname), portOf(url), allow);
  return url;
}

export function portOf(url: URL): number {
  if (url.port !== '') return Number(url.port);
  return url.protocol === 'https:' ? 443 : 80;
}

function checkHost(host: string, port: number, allow: AllowList): void {
  if (allow.names(host, port)) return;
  const literal = host.startsWith('[') ? host.slice(1, -1) : host;
  if (isIP(literal) !== 0) {
    if (!allow.permits(literal, port)) throw new EgressDenied(isWebPort(port) ? 'address' : 'port');
    return;
  }
  // With permitted networks the resolved addresses decide, see `guardedLookup`.
  if (allow.hasNetworks) return;
  if (!isWebPort(port)) throw new EgressDenied('port');
  if (host === '' || LOCAL_NAMES.test(host)) throw new EgressDenied('address');
}
