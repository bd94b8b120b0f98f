import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What stands before a server that a client without settings calls. */
export interface NamedTools {
  /** Where the server listens. */
  baseUrl: string;
  key: string;
  /** The names that the client expects, and those that the server has. */
  names: Readonly<Record<string, string>>;
}

/** A running proxy. */
export interface ToolsProxy {
  url: string;
  close(): Promise<void>;
}

const NAME_HEADER = 'mcp-name';

/** Adds a key to each request and gives tools other names; everything else passes as it is. */
export async function nameTools({ baseUrl, key, names }: NamedTools): Promise<ToolsProxy> {
  const target = new URL(baseUrl);
  const renamed = (from: string[], to: string[], json: string): string =>
    from.reduce((so, name, at) => so.replaceAll(`"name":"${name}"`, `"name":"${to[at] ?? ''}"`), json);
  const [expected, own] = [Object.keys(names), Object.values(names)];

  /** As it comes, but for the address: the client has called the proxy, and the platform is to see its own. */
  const headersOf = ({ headers }: IncomingMessage, port: string): Headers => {
    const passed = new Headers({ 'X-Service-Api-Key': key });
    for (const [name, value] of Object.entries(headers))
      if (typeof value === 'string' && !['host', 'connection', 'content-length'].includes(name))
        passed.set(name, value);
    const origin = passed.get('origin');
    if (origin !== null) passed.set('origin', origin.replace(`:${port}`, `:${target.port}`));
    const named = names[passed.get(NAME_HEADER) ?? ''];
    if (named !== undefined) passed.set(NAME_HEADER, named);
    return passed;
  };

  const server = createServer((request, response) => {
    const pass = async (): Promise<void> => {
      const body = request.method === 'POST' ? renamed(expected, own, await text(request)) : null;
      const headers = headersOf(request, String((server.address() as AddressInfo).port));
      const answered = await fetch(new URL(request.url ?? '/', target), {
        method: request.method ?? 'GET',
        headers,
        body,
      });
      response.writeHead(answered.status, { 'content-type': answered.headers.get('content-type') ?? 'text/plain' });
      response.end(renamed(own, expected, await answered.text()));
    };
    pass().catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
