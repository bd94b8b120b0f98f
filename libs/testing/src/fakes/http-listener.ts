import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server, Socket } from 'node:net';

/** A free port of 127.0.0.1 by default. */
export interface ListenOptions {
  host?: string;
  port?: number;
  tls?: { certFile: string; keyFile: string } | undefined;
}

/** `close` also ends hanging replies. */
export interface Listener {
  origin: string;
  port: number;
  close(): Promise<void>;
}

export async function listen(
  answer: RequestListener,
  { host = '127.0.0.1', port = 0, tls }: ListenOptions,
): Promise<Listener> {
  const server = tls
    ? createTlsServer({ cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile) }, answer)
    : createServer(answer);
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  const bound = (server.address() as AddressInfo).port;
  const name = host.includes(':') ? `[${host}]` : host;
  return { origin: `${tls ? 'https' : 'http'}://${name}:${bound}`, port: bound, close: () => closed(server, sockets) };
}

export async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** Does not keep the process alive. */
export function pause(ms: number): Promise<void> {
  return ms > 0 ? new Promise((resolve) => setTimeout(resolve, ms).unref()) : Promise.resolve();
}

async function closed(server: Server, sockets: Set<Socket>): Promise<void> {
  const done = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const socket of sockets) socket.destroy();
  await done;
}
