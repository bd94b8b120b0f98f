import { createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP listener that records every connection and byte and never replies. */
export interface Wiretap {
  port: number;
  connections: number;
  bytes: number;
  close(): Promise<void>;
}

export async function startWiretap(host: string, port = 0): Promise<Wiretap> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    tap.connections += 1;
    socket.on('data', (chunk) => (tap.bytes += chunk.length)).on('error', () => undefined);
  });
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve));
  const tap: Wiretap = {
    port: (server.address() as AddressInfo).port,
    connections: 0,
    bytes: 0,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return tap;
}
