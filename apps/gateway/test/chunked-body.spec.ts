import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises';
import { ChunkedBody } from '../src/streams/chunked-body.js';

const HEAD = { 'Content-Type': 'text/event-stream' };

describe('a response body in chunks', () => {
  let server: Server;
  let client: Socket;
  let received = '';

  const serve = async (answer: (response: ServerResponse, path: string) => void | Promise<void>): Promise<void> => {
    server = createServer((request, response) => void answer(response, request.url ?? '')).listen(0, '127.0.0.1');
    await once(server, 'listening');
    client = connect((server.address() as AddressInfo).port, '127.0.0.1').setEncoding('utf8');
    client.on('error', () => undefined);
  };
  const listen = (): void => void client.on('data', (text: string) => (received += text));
  const ask = (path: string, version = '1.1'): boolean =>
    client.write(`GET ${path} HTTP/${version}\r\nhost: x\r\n\r\n`);
  const until = async (text: string): Promise<void> => {
    // Looked for at the end: a search through 20 MB every few milliseconds would delay what is to arrive.
    const arrived = (): boolean => received.slice(-100).includes(text);
    for (const end = Date.now() + 60_000; !arrived() && Date.now() < end;) await pause(5);
    expect(arrived()).toBe(true);
  };
  const bodyOf = (text: string): string => text.slice(text.indexOf('\r\n\r\n') + 4);

  beforeEach(() => (received = ''));
  afterEach(() => {
    client.destroy();
    server.close();
  });

  it.each([
    ['strings', ['one', 'zwei — ü', '三'], '3\r\none\r\nb\r\nzwei — ü\r\n3\r\n三\r\n0\r\n\r\n'],
    ['bytes between strings', ['a', Buffer.from('bc'), 'd'], '1\r\na\r\n2\r\nbc\r\n1\r\nd\r\n0\r\n\r\n'],
  ])('frames %s as chunks', async (_what, chunks, expected) => {
    await serve(async (response) => {
      const body = new ChunkedBody(response.writeHead(200, HEAD));
      for (const chunk of chunks) {
        body.write(chunk);
        if (chunk === 'one') await turn();
      }
      response.end();
    });
    listen();
    ask('/');
    await until('0\r\n\r\n');
    expect(bodyOf(received)).toBe(expected);
  });

  it('frames nothing for a client of HTTP/1.0', async () => {
    await serve(async (response) => {
      const body = new ChunkedBody(response.writeHead(200, HEAD));
      body.write('one ');
      await turn();
      body.write('two');
      response.end();
    });
    listen();
    ask('/', '1.0');
    await once(client, 'close');
    expect(bodyOf(received)).toBe('one two');
  });

  it('waits behind the response before it on its connection', async () => {
    let finishFirst = (): void => undefined;
    await serve(async (response, path) => {
      if (path === '/first') return void (finishFirst = () => response.end('first'));
      const body = new ChunkedBody(response.writeHead(200, HEAD));
      for (const chunk of ['a', 'b', 'c']) {
        body.write(chunk);
        await turn();
      }
      finishFirst();
      await turn();
      body.write('d');
      response.end();
    });
    listen();
    ask('/first');
    ask('/second');
    await until('0\r\n\r\n');
    expect(bodyOf(bodyOf(received))).toBe('1\r\na\r\n1\r\nb\r\n1\r\nc\r\n1\r\nd\r\n0\r\n\r\n');
  });

  it('reports that its client is too slow, and when it may continue', async () => {
    const chunk = 'x'.repeat(100_000);
    let written = 0;
    let waited = false;
    await serve((response) => {
      const body = new ChunkedBody(response.writeHead(200, HEAD));
      const more = (): void => {
        for (let taken = true; taken && written < 200; written++) taken = body.write(chunk);
        if (written === 200) return void response.end();
        waited = true;
        body.onDrain(more);
      };
      more();
    });
    ask('/');
    await pause(200);
    expect(written).toBeLessThan(200);
    listen();
    await until('0\r\n\r\n');
    expect(waited).toBe(true);
    expect(received.match(/x/g)?.length).toBe(200 * chunk.length + 1);
  });
});
