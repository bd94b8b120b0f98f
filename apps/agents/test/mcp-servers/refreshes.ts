import type { ServerResponse } from 'node:http';
import type { McpTool } from '@signalbox/contracts';
import { type Raw, TestMcpServer } from '../mcp-server.js';
import {
  type Body,
  company,
  created,
  endpoints,
  errorOf,
  got,
  LOOK_UP,
  outside,
  ready,
  refreshed,
  server,
} from './fixture.js';

describe('a refresh', () => {
  it.each([false, true])('lists the tools with their schemas (older revision: %s)', async (legacy) => {
    const other = await TestMcpServer.start({ legacy });
    other.tools = [LOOK_UP, { name: 'delete_all', input: { type: 'object' } }];
    const { id } = await created({ url: other.url, exclude_tools: ['delete_all'] });
    const { tools, ...made } = await refreshed(id).finally(() => other.stop());
    expect(made).toMatchObject({ tool_count: 1, refresh_error: null, refreshed_at: expect.any(Number) as unknown });
    expect(tools).toEqual<McpTool[]>([
      {
        name: 'look_up',
        description: 'Looks an order up',
        input_schema: expect.objectContaining({ type: 'object', required: ['id'] }) as unknown,
        output_schema: null,
        is_repeatable: true,
        schema_hash: expect.stringMatching(/^[0-9a-f]{64}$/) as unknown as string,
      },
    ]);
  });

  it('sends its headers with secrets, which are nowhere else', async () => {
    const { id } = await created({ headers: { Authorization: 'Bearer {{secrets.TOKEN}}' } });
    expect(await errorOf(refreshed(id))).toEqual({ status: 400, message: 'missing secrets: TOKEN' });
    server.tools = [{ ...LOOK_UP, description: 'for s3cret-value only' }];
    const { tools } = await refreshed(id, { TOKEN: 's3cret-value', OTHER: 'x' });
    expect(tools[0]?.description).toBe('for [secret] only');
    expect(new Set(server.calls.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer s3cret-value']));
  });

  it.each<[string, number, RegExp, string, Partial<Body>, () => void]>([
    ['answers 500', 502, /answered 500/, 'provider', {}, () => void (server.raw = (_q, r) => r.writeHead(500).end())],
    [
      'limits its calls',
      502,
      /answered 429/,
      'provider',
      {},
      () => void (server.raw = (_q, r) => r.writeHead(429).end()),
    ],
    [
      'redirects',
      502,
      /redirects are not followed/,
      'provider',
      {},
      () => void (server.raw = (_q, r) => r.writeHead(307, { location: `${outside.target.url}/steal` }).end()),
    ],
    ['is not public', 422, /not a public address/, 'sandbox', { url: 'http://127.0.0.2/mcp' }, () => undefined],
    ['is down', 502, /refused/, 'provider', { url: 'http://127.0.0.1:1/mcp' }, () => undefined],
    [
      'lists 10,000 tools',
      502,
      /more than 1000 tools/,
      'adapter',
      {},
      () => void (server.raw = listing(Array.from({ length: 10_000 }, (_, n) => `t${n}`))),
    ],
    [
      'lists 200 tools',
      502,
      /name them in include_tools/,
      'adapter',
      {},
      () => void (server.tools = Array.from({ length: 200 }, (_, n) => ({ name: `t${n}` }))),
    ],
    [
      'has a schema of 10 MB',
      502,
      /answered more than|longer than|too large/,
      'adapter',
      {},
      () => void (server.tools = [{ name: 't', input: { type: 'object', description: 'x'.repeat(10_000_000) } }]),
    ],
    [
      'has a deep schema',
      502,
      /deeper than 20/,
      'adapter',
      {},
      () => void (server.tools = [{ name: 't', input: { type: 'object', properties: deep(40) } }]),
    ],
    [
      'has a schema of 100 kB',
      502,
      /more than 64 KiB/,
      'adapter',
      {},
      () => void (server.tools = [{ name: 't', input: { type: 'object', description: 'x'.repeat(100_000) } }]),
    ],
    [
      'streams without end',
      502,
      /answered more than|longer than|too large/,
      'adapter',
      {},
      () => void (server.raw = (_q, r) => endless(r)),
    ],
    [
      'speaks an unknown revision',
      502,
      /does not speak the protocol/,
      'adapter',
      {},
      () => void (server.raw = unknownRevision),
    ],
    [
      'answers HTML',
      502,
      /does not speak the protocol/,
      'adapter',
      {},
      () => void (server.raw = (_q, r) => r.writeHead(200, { 'content-type': 'text/html' }).end('<html>')),
    ],
  ])('of a server that %s fails and keeps why', async (_name, status, message, failure_class, change, prepare) => {
    prepare();
    const { id } = await created(change);
    const refusal = await errorOf(refreshed(id));
    expect(refusal).toEqual({ status, message: expect.stringMatching(message) as unknown });
    expect((await got(id)).refresh_error).toEqual({
      failure_class,
      message: refusal.message,
      at: expect.any(Number) as unknown,
    });
    expect(outside.target.calls).toEqual([]);
  });

  it('of a server that is too slow ends before its caller gives up', async () => {
    server.raw = () => undefined;
    const { id } = await created();
    const caller = company.world.caller({ deadline: Date.now() + 4000 });
    const asked = outside.platform.bus.call(endpoints.refreshMcpServer, { mcp_server_id: id, secrets: {} }, caller);
    expect(await errorOf(asked)).toEqual({
      status: 504,
      message: expect.stringMatching(/no answer in time/) as unknown,
    });
    expect((await got(id)).refresh_error).toMatchObject({ failure_class: 'timeout' });
  });

  it('that ends after the server has moved stores no tools of the former address', async () => {
    const { id } = await ready();
    let move: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      server.raw = (_q, response) => {
        move = () => void response.writeHead(500).end();
        resolve();
      };
    });
    const refreshing = errorOf(refreshed(id));
    await asked;
    const url = 'https://elsewhere.example/mcp';
    await outside.platform.bus.call(endpoints.updateMcpServer, { mcp_server_id: id, url }, company.world.caller());
    move();
    expect(await refreshing).toMatchObject({ status: 502 });
    expect(await got(id)).toMatchObject({ url, tool_count: 0, refreshed_at: null, refresh_error: null });
  });

  it('that fails keeps the tools of the last one', async () => {
    const { id } = await ready();
    server.raw = (_q, response) => response.writeHead(500).end();
    await errorOf(refreshed(id));
    expect(await got(id)).toMatchObject({ tool_count: 1, refresh_error: { failure_class: 'provider' } });
  });
});

const deep = (levels: number): Record<string, unknown> =>
  levels === 0 ? {} : { x: { type: 'object', properties: deep(levels - 1) } };

function endless(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  const more = (): void => {
    while (!response.destroyed && response.write(`: ${'x'.repeat(60_000)}\n\n`));
  };
  response.on('drain', more);
  more();
}

/** A server of an older revision that lists tools of some names. */
function listing(names: string[]): Raw {
  const tools = names.map((name) => ({ name, inputSchema: { type: 'object' } }));
  const initialized = {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {} },
    serverInfo: { name: 'x', version: '1' },
  };
  return (_request, response, body) => {
    const { id, method } = JSON.parse(body) as { id?: number; method: string };
    if (id === undefined) return response.writeHead(202).end();
    if (method === 'server/discover') return response.writeHead(400).end();
    response.writeHead(200, { 'content-type': 'application/json' });
    return response.end(
      JSON.stringify({ jsonrpc: '2.0', id, result: method === 'initialize' ? initialized : { tools } }),
    );
  };
}

function unknownRevision(_request: unknown, response: ServerResponse, body: string): void {
  const { id } = JSON.parse(body || '{}') as { id?: number };
  const result = { protocolVersion: '1999-01-01', capabilities: {}, serverInfo: { name: 'old', version: '1' } };
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}
