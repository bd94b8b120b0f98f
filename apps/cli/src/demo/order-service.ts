import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Somebody's existing system, small enough for a demo: it knows one order. */
export interface OrderService {
  url: string;
  /** `host:port`, as the platform is told to allow it. */
  place: string;
  /** How often it was asked. */
  asked(): number;
  close(): Promise<void>;
}

const ORDER = { order_id: 'A-1042', status: 'SHIPPED', carrier: 'Parcel Post', delivery: 'tomorrow before noon' };

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function listen(server: Server, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
}

/** Starts it on the port it had before when that is free, so that an unchanged agent stays unchanged. */
export async function startOrderService(formerPort: number | null): Promise<OrderService> {
  let asked = 0;
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url !== '/orders/latest') return reply(response, 404, { error: 'unknown' });
    asked += 1;
    reply(response, 200, ORDER);
  });
  if (!(await listen(server, formerPort ?? 0)) && !(await listen(server, 0))) throw new Error('no free port was found');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    place: `127.0.0.1:${port}`,
    asked: () => asked,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
