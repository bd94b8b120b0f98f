import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '@signalbox/servers';
import { eventually } from '@signalbox/testing';
import { ROOT } from './manifests.js';

const isHere = spawnSync('caddy', ['version']).status === 0;
let caddy: ChildProcess;
let home: string;
let url: string;
let ports: { gateway: number; completions: number };
const servers: Server[] = [];

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A process behind the front. */
async function serve(port: number, answer: Answer): Promise<Server> {
  const server = createServer(answer);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}

const stop = async (): Promise<void> => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
};

beforeAll(async () => {
  if (!isHere) return console.warn('THE FRONT WAS NOT RUN: there is no caddy on this machine');
  home = mkdtempSync(join(tmpdir(), 'signalbox-front-'));
  ports = { gateway: await freePort(), completions: await freePort() };
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const env = {
    HOME: home,
    PATH: process.env.PATH,
    SITE_ADDRESS: `http://:${port}`,
    GATEWAY: `127.0.0.1:${ports.gateway}`,
    COMPLETIONS: `127.0.0.1:${ports.completions}`,
  };
  const words = ['run', '--config', join(ROOT, 'docker/front/Caddyfile'), '--adapter', 'caddyfile'];
  caddy = spawn('caddy', words, { env, stdio: 'ignore' });
  await eventually('the front listens', () =>
    fetch(`${url}/metrics`).then(
      () => true,
      () => false,
    ),
  );
}, 60_000);
afterEach(stop);
afterAll(() => {
  caddy?.kill('SIGKILL');
  if (home) rmSync(home, { recursive: true, force: true });
});

describe('the front', () => {
  it('routes completions to their process and everything else to the gateway, and says who the client is', async () => {
    if (!isHere) return;
    await serve(ports.gateway, ({ headers }, response) => response.end(`gateway ${headers['x-forwarded-for']}`));
    await serve(ports.completions, (_, response) => response.end('completions'));
    const read = async (path: string): Promise<string> =>
      (await fetch(url + path, { headers: { 'x-forwarded-for': '203.0.113.7' } })).text();
    expect(await read('/api/v1/chat/completions')).toBe('completions');
    expect(await read('/api/v1/chat/completions/')).toBe('completions');
    // What a client claims about its address is not passed on.
    expect(await read('/api/v1/chat/completions-x')).toBe('gateway 127.0.0.1');
    expect((await fetch(`${url}/metrics`)).status).toBe(404);
  });

  it('waits for the successor of a process that is gone, and passes streams on as they are written', async () => {
    if (!isHere) return;
    // One with a body waits as well from Caddy 2.9 on; before, its body is closed by the first try.
    const waiting = fetch(`${url}/api/v1/company`);
    let letGo: () => void = () => undefined;
    await serve(ports.gateway, (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n');
      letGo = () => response.end('data: 2\n\n');
    });
    const reader = (await waiting).body!.getReader();
    expect(Buffer.from((await reader.read()).value!).toString()).toBe('data: 1\n\n');
    letGo();
    expect(Buffer.from((await reader.read()).value!).toString()).toBe('data: 2\n\n');
  });

  it('replies in the shape of the API when a call is lost, and sends it only once', async () => {
    if (!isHere) return;
    let calls = 0;
    await serve(ports.gateway, ({ socket }) => {
      calls += 1;
      socket.destroy();
    });
    const reply = await fetch(`${url}/api/v1/company`, { method: 'POST', body: '{}' });
    expect([reply.status, reply.headers.get('x-request-id'), reply.headers.get('content-type')]).toEqual([
      502,
      null,
      'application/json',
    ]);
    expect(await reply.json()).toEqual({ error: { status: 502, message: 'Bad Gateway' } });
    expect(calls).toBe(1);
  });
});
