import { connect, type Socket } from 'node:net';
import { eventually, Platform } from '@signalbox/testing';
import { freePort } from '@signalbox/servers';
import { ask } from './client.js';

const PER_ADDRESS = 60;
const TOTAL = 100;

let platform: Platform;
let key: string;
let healthPort: number;
beforeAll(async () => {
  healthPort = await freePort();
  platform = await Platform.shared(['accounts']);
  await platform.restartService('gateway', {
    MAX_CONNECTIONS: String(TOTAL),
    MAX_CONNECTIONS_PER_ADDRESS: String(PER_ADDRESS),
    HEALTH_PORT: String(healthPort),
  });
  key = (await platform.company('Acme')).key;
}, 60_000);
afterAll(() => platform?.stop());

const opened: Socket[] = [];
afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy();
  await eventually('a connection is accepted again', () =>
    ask(platform, 'GET', '/healthz', { headers: { Connection: 'close' } }).then(
      ({ status }) => status === 200,
      () => false,
    ),
  );
});

interface Client {
  socket: Socket;
  /** The text received so far. */
  text: () => string;
  closed: () => boolean;
}

const HEALTH = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n';

/** Opens a keep-alive connection from a local address and receives one response on it. */
function open(localAddress: string, request = HEALTH): Client {
  const socket = connect({ port: platform.port, host: '127.0.0.1', localAddress });
  opened.push(socket);
  let text = '';
  let closed = false;
  socket.on('data', (part) => (text += part.toString())).on('error', () => undefined);
  socket.on('close', () => (closed = true));
  socket.write(request);
  return { socket, text: () => text, closed: () => closed };
}

const settled = (clients: Client[]) =>
  eventually('all have a response or are closed', () =>
    clients.every((client) => client.text() !== '' || client.closed()),
  );
const many = (count: number, address: string): Client[] => Array.from({ length: count }, () => open(address));

describe('connections', () => {
  it('of one address block no other address, and are limited to its share', async () => {
    const idle = many(PER_ADDRESS + 20, '127.0.0.3');
    await settled(idle);
    expect(idle.filter((client) => client.text().startsWith('HTTP/1.1 200')).length).toBe(PER_ADDRESS);
    const refused = idle.filter((client) => client.text().startsWith('HTTP/1.1 503'));
    expect(refused.length).toBe(20);
    expect(refused[0]?.text()).toMatch(/Retry-After: 1\r\n.*"message":"too many connections are open"/s);
    const others = many(10, '127.0.0.4');
    await settled(others);
    expect(others.every((client) => client.text().startsWith('HTTP/1.1 200'))).toBe(true);
    expect((await ask(platform, 'GET', '/api/v1/company', { key })).status).toBe(200);
  });

  it('that are idle are closed at the total cap, those with a request in progress are not', async () => {
    const working = Array.from({ length: 10 }, () =>
      open(
        '127.0.0.5',
        `PUT /api/v1/company HTTP/1.1\r\nHost: x\r\nX-Service-Api-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n`,
      ),
    );
    const idle = [...many(45, '127.0.0.6'), ...many(45, '127.0.0.7')];
    await settled(idle);
    const late = many(20, '127.0.0.8');
    await settled(late);
    expect(late.every((client) => client.text().startsWith('HTTP/1.1 200'))).toBe(true);
    await eventually('idle ones were closed for them', () => idle.filter((client) => client.closed()).length >= 20);
    for (const { socket } of working) socket.write('{}');
    await settled(working);
    expect(working.every((client) => client.text().startsWith('HTTP/1.1 '))).toBe(true);
  });

  it('without a whole head are closed, with a reply only where something was asked', async () => {
    const [silent, late, unfinished] = ['', '', 'GET /healthz HTTP/1.1\r\nHost:'].map((sent) =>
      open('127.0.0.9', sent),
    );
    await eventually('the head did not arrive in time', () => unfinished?.closed());
    expect(unfinished?.text()).toMatch(/^HTTP\/1.1 400 .*"message":"the request did not arrive in time"/s);
    late?.socket.write(HEALTH);
    await eventually('the late request is served', () => late?.text().startsWith('HTTP/1.1 200'));
    await eventually('the other one is closed', () => silent?.closed(), 60_000);
    expect(silent?.text()).toBe('');
  }, 120_000);

  it('at their cap do not affect the probes on the health port', async () => {
    const all = [5, 6, 7].flatMap((last) => many(PER_ADDRESS, `127.0.0.${last}`));
    await settled(all);
    const probe = (path: string) => fetch(`http://127.0.0.1:${healthPort}${path}`);
    expect([(await probe('/healthz')).status, (await probe('/readyz')).status]).toEqual([200, 200]);
    expect(await (await probe('/metrics')).text()).toContain('signalbox_http_request_seconds');
  });
});
