import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

const PAGES: Record<string, string> = {
  '/filters': '<h1>Filters</h1><p>A carbon filter lasts six months or 1,500 litres, whichever comes first.</p>',
  '/recycling': '<h1>Recycling</h1><p>Used filters are taken back free of charge, with a label from the shop.</p>',
};

/** An external system for the demo: pages to read, and an approval desk. */
export interface OfficeService {
  url: string;
  /** `host:port`, as an allowed address of the platform. */
  place: string;
  pages: string[];
  approvals(): number;
  close(): Promise<void>;
}

export async function startOfficeService(token: string): Promise<OfficeService> {
  let approvals = 0;
  const server = createServer((request, response) => {
    const reply = (status: number, type: string, body: string): void => {
      response.writeHead(status, { 'content-type': type });
      response.end(body);
    };
    const page = PAGES[request.url ?? ''];
    if (page !== undefined) return reply(200, 'text/html', page);
    if (!isApproval(request)) return reply(404, 'text/plain', 'unknown');
    if (request.headers.authorization !== `Bearer ${token}`) return reply(401, 'text/plain', 'unknown token');
    approvals += 1;
    reply(200, 'application/json', JSON.stringify({ approval_id: `case-${approvals}` }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const place = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const url = `http://${place}`;
  return {
    url,
    place,
    pages: Object.keys(PAGES).map((path) => url + path),
    approvals: () => approvals,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

const isApproval = ({ method, url }: IncomingMessage): boolean => method === 'POST' && url === '/approvals';
