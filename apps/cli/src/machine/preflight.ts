import { randomUUID } from 'node:crypto';
import { resolve4, resolve6 } from 'node:dns/promises';
import { statfs } from 'node:fs/promises';
import { createServer, get, type Server } from 'node:http';
import { get as getSecurely } from 'node:https';
import { totalmem } from 'node:os';
import { type Finding, ok, problem, reasonOf, warning } from '../admin/doctor/finding.js';

const GIB = 2 ** 30;
const LEAST_DISK = 10 * GIB;
const LEAST_MEMORY = 4 * GIB;
const CLOCK_SECONDS = { warning: 5, problem: 60 };
const REACH_MS = 10_000;

export interface PreflightOptions {
  domain: string;
  folder: string;
  httpPort?: number;
  httpsPort?: number;
  /** Where certificates come from: its clock counts. */
  clockUrl?: string;
  addressesOf?: (domain: string) => Promise<string[]>;
}

const lookUp = async (domain: string): Promise<string[]> => {
  const found = await Promise.allSettled([resolve4(domain), resolve6(domain)]);
  return found.flatMap((each) => (each.status === 'fulfilled' ? each.value : []));
};

/** Whether this machine can serve a domain. Listens on the ports for a moment, so nothing may be started yet. */
export async function preflight(options: PreflightOptions): Promise<Finding[]> {
  const { httpPort = 80, httpsPort = 443 } = options;
  return [
    ...(await nameAndPort(options, httpPort)),
    await portFinding(httpsPort),
    await diskFinding(options.folder),
    memoryFinding(),
    await clockFinding(options.clockUrl ?? 'https://acme-v02.api.letsencrypt.org/directory'),
  ];
}

/** The domain leads here when a request to it arrives at a port of this process. */
async function nameAndPort({ domain, addressesOf = lookUp }: PreflightOptions, port: number): Promise<Finding[]> {
  const mark = randomUUID();
  const server = createServer((_, response) => response.end(mark));
  const listening = await listen(server, port);
  const finding = portResult(port, listening);
  const addresses = await addressesOf(domain);
  if (addresses.length === 0) {
    server.close();
    const advice = `make an A or AAAA record that names the public address of this machine, then try again`;
    return [finding, problem('name', `${domain} has no address`, advice)];
  }
  const at = addresses.join(', ');
  if (listening !== null)
    return [finding, warning('name', `${domain} is ${at}; not tried without the port`, 'see above')];
  const host = addresses[0]!.includes(':') ? `[${addresses[0]}]` : addresses[0];
  const answer = await ask(`http://${host}:${port}/`, domain).then(
    ({ body }) => body,
    (error: unknown) => error,
  );
  server.close();
  server.closeAllConnections();
  if (answer === mark) return [finding, ok('name', `${domain} is ${at} and leads here`)];
  const advice =
    'open the ports 80 and 443, or correct the record; behind a router that does not lead back in this may be a false alarm';
  const seen = answer instanceof Error ? reasonOf(answer) : 'another server answers';
  return [finding, warning('name', `${domain} is ${at}, where this machine was not reached: ${seen}`, advice)];
}

async function portFinding(port: number): Promise<Finding> {
  const server = createServer();
  const listening = await listen(server, port);
  server.close();
  return portResult(port, listening);
}

function portResult(port: number, failure: string | null): Finding {
  const area = `port ${port}`;
  if (failure === null) return ok(area, 'free');
  if (failure === 'EADDRINUSE') return problem(area, 'another program listens on it', 'stop that program');
  if (failure === 'EACCES')
    return warning(
      area,
      'this user may not listen on it',
      'run it as root, or lower net.ipv4.ip_unprivileged_port_start',
    );
  return problem(area, failure, 'free the port');
}

/** Null when the port is free, else the code of the failure. */
const listen = (server: Server, port: number): Promise<string | null> =>
  new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, () => resolve(null));
  });

async function diskFinding(folder: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const found = `${(free / GIB).toFixed(1)} GiB are free`;
  return free < LEAST_DISK ? problem('disk', found, `make ${LEAST_DISK / GIB} GiB free`) : ok('disk', found);
}

function memoryFinding(): Finding {
  const found = `${(totalmem() / GIB).toFixed(1)} GiB`;
  return totalmem() < LEAST_MEMORY
    ? warning('memory', found, `${LEAST_MEMORY / GIB} GiB are needed under load`)
    : ok('memory', found);
}

async function clockFinding(url: string): Promise<Finding> {
  const began = Date.now();
  const reply = await ask(url, new URL(url).host).catch((error: unknown) => reasonOf(error));
  const date = typeof reply === 'string' ? NaN : Date.parse(reply.date);
  if (Number.isNaN(date)) {
    const cause = typeof reply === 'string' ? reply : 'it tells no time';
    return warning(
      'clock',
      `${new URL(url).host} cannot be reached: ${cause}`,
      'certificates come from there: allow it',
    );
  }
  // The date of a reply has whole seconds.
  const seconds = Math.round(Math.abs((began + Date.now()) / 2 - date - 500) / 1000);
  const found = `differs from ${new URL(url).host} by ${seconds} s`;
  if (seconds > CLOCK_SECONDS.problem) return problem('clock', found, 'set the clock: certificates are refused');
  return seconds > CLOCK_SECONDS.warning ? warning('clock', found, 'let NTP set the clock') : ok('clock', found);
}

function ask(url: string, host: string): Promise<{ body: string; date: string }> {
  return new Promise((resolve, reject) => {
    const options = { headers: { host }, timeout: REACH_MS, agent: false };
    const request = (url.startsWith('https:') ? getSecurely : get)(url, options, (reply) => {
      let body = '';
      reply.on('data', (chunk: Buffer) => (body += chunk.toString()));
      reply.once('end', () => resolve({ body, date: reply.headers.date ?? '' }));
      reply.once('error', reject);
    });
    request.once('timeout', () => request.destroy(new Error(`no reply within ${REACH_MS / 1000} s`)));
    request.once('error', reject);
  });
}
