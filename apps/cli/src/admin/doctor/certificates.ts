import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectSecurely, type TLSSocket } from 'node:tls';
import { checked, type Finding, ok, problem, warning } from './finding.js';

const DAY_MS = 86_400_000;
const SOON_DAYS = 30;
const NOW_DAYS = 7;
const CONNECT_MS = 10_000;

export function certificateFinding(area: string, validTo: string): Finding {
  const days = Math.floor((Date.parse(validTo) - Date.now()) / DAY_MS);
  const found = days < 0 ? `its certificate expired on ${validTo}` : `its certificate is valid for ${days} days`;
  if (days < NOW_DAYS) return problem(area, found, 'renew the certificate now');
  return days < SOON_DAYS ? warning(area, found, 'renew the certificate') : ok(area, found);
}

/** None without TLS. Postgres is asked over its own connection. */
export function certificateFindings(area: string, url: string): Promise<Finding[]> {
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== 'https:' && protocol !== 'tls:') return Promise.resolve([]);
  return checked(area, 'see whether its address is right and reachable from here', async () => {
    const socket = connect(Number(port) || (protocol === 'tls:' ? 4222 : 443), hostname);
    const limit = setTimeout(() => socket.destroy(new Error('no answer in time')), CONNECT_MS);
    try {
      await once(socket, 'connect');
      return [certificateFinding(area, await validTo(socket, hostname, protocol === 'tls:'))];
    } finally {
      clearTimeout(limit);
      socket.destroy();
    }
  });
}

/** NATS sends a line before TLS. */
async function validTo(socket: Socket, servername: string, hasGreeting: boolean): Promise<string> {
  if (hasGreeting) await once(socket, 'data');
  // Only the date matters here; clients decide about trust.
  const secure = connectSecurely({ socket, servername, rejectUnauthorized: false });
  await once(secure, 'secureConnect');
  return secure.getPeerCertificate().valid_to;
}

export function validToOf(stream: unknown): string | null {
  const { getPeerCertificate } = stream as Partial<TLSSocket>;
  return getPeerCertificate ? (stream as TLSSocket).getPeerCertificate().valid_to : null;
}
