import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Egress } from '@signalbox/egress';

const CHUNK = Buffer.alloc(64 * 1024, 'x');
const FRAMED = Buffer.concat([Buffer.from(`${CHUNK.length.toString(16)}\r\n`), CHUNK, Buffer.from('\r\n')]);
const HEAD = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
/** Upper bound of the bytes in the kernel buffers of the two sockets of a connection. */
const KERNEL_BYTES = 16_000_000;

/** Writes as long as the other side reads. */
async function pour(socket: Socket): Promise<void> {
  while (socket.writable) if (!socket.write(FRAMED)) await Promise.race([once(socket, 'drain'), once(socket, 'close')]);
}

/** Resolves when the connection is closed, normally or by an error. */
async function closed(socket: Socket): Promise<void> {
  const end = Date.now() + 30_000;
  while (!socket.destroyed && Date.now() < end) await pause(10);
  expect(socket.destroyed).toBe(true);
}

describe('flow control of a response', () => {
  let server: Server;
  let egress: Egress;
  const sockets: Socket[] = [];
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const serve = (answer: (socket: Socket, path: string) => void) => {
    server.on('connection', (socket: Socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined);
      socket.on('data', (bytes) => answer(socket, bytes.toString().split(' ')[1] ?? ''));
    });
  };

  beforeEach(async () => {
    sockets.length = 0;
    egress = new Egress({ allow: ['127.0.0.0/8'] });
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
  });

  afterEach(async () => {
    await egress.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  it('pauses and resumes with its reader', async () => {
    serve((socket) => {
      socket.write(HEAD);
      pour(socket).catch(() => undefined);
    });
    const { body, close } = await egress.stream({ url: url(), method: 'GET', timeoutMs: 20_000, maxBytes: 1e9 });
    const chunks = body[Symbol.asyncIterator]();
    await chunks.next();
    await pause(500);
    const held = sockets[0]!.bytesWritten;
    expect(held).toBeLessThan(KERNEL_BYTES);
    let read = 0;
    while (read < 4 * KERNEL_BYTES) read += ((await chunks.next()).value as Uint8Array).length;
    expect(sockets[0]!.bytesWritten).toBeGreaterThan(held);
    close();
    await expect(chunks.next()).rejects.toMatchObject({ reason: 'aborted' });
  });

  it('closes the connection of a redirect with an endless body', async () => {
    serve((socket, path) => {
      if (path === '/there') return void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok');
      socket.write('HTTP/1.1 302 Found\r\nlocation: /there\r\ntransfer-encoding: chunked\r\n\r\n2\r\nno\r\n');
    });
    const answer = await egress.fetch({ url: url(), method: 'GET', timeoutMs: 5_000 });
    expect(answer.body.toString()).toBe('ok');
    await closed(sockets[0]!);
    expect(sockets[1]!.destroyed).toBe(false);
  });

  it('closes the connection when its reader stops', async () => {
    serve((socket) => {
      socket.write(HEAD);
      pour(socket).catch(() => undefined);
    });
    const { body } = await egress.stream({ url: url(), method: 'GET', timeoutMs: 20_000, maxBytes: 1e9 });
    for await (const chunk of body) if (chunk.length > 0) break;
    await closed(sockets[0]!);
  });
});
