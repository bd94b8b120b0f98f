import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { eventually, Platform } from '@signalbox/testing';

const REVISIONS = ['2026-07-28', '2025-11-25', '2025-06-18'];
const ADDRESSES = ['/mcp', '/mcp/run', '/mcp/build', '/mcp/agents'];

let platform: Platform;
let key: string;
beforeAll(async () => {
  platform = await Platform.shared(['accounts', 'traffic', 'agents', 'workflows', 'runner', 'test-runs', 'gateway']);
  ({ key } = await platform.company());
}, 90_000);
afterAll(() => platform?.stop());

/** The official client, which validates each message by the schema of its revision. */
async function connected(revision: string, path: string): Promise<Client> {
  const client = new Client(
    { name: 'conformance', version: '1' },
    revision === REVISIONS[0]
      ? { versionNegotiation: { mode: { pin: revision } } }
      : { supportedProtocolVersions: [revision] },
  );
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${platform.baseUrl}${path}`), { requestInit }));
  return client;
}

const post = (body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${platform.baseUrl}/mcp`, {
    method: 'POST',
    headers: {
      ...{ Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      ...{ Accept: 'application/json, text/event-stream' },
      ...headers,
    },
    body: JSON.stringify(body),
  });

describe.each(REVISIONS)('a client of revision %s', (revision) => {
  it('is answered in it at every address, with tools of valid schemas', async () => {
    for (const path of ADDRESSES) {
      const client = await connected(revision, path);
      expect(client.getNegotiatedProtocolVersion()).toBe(revision);
      expect(client.getServerVersion()).toMatchObject({ name: 'signalbox', version: expect.any(String) as unknown });
      const { tools } = await client.listTools();
      for (const { name, inputSchema } of tools) {
        expect(name).toMatch(/^[A-Za-z0-9_.-]{1,128}$/);
        expect(inputSchema.type).toBe('object');
      }
      expect(tools.length > 0).toBe(path !== '/mcp/agents');
      expect(client.getServerCapabilities()).toEqual({ tools: { listChanged: false } });
      await client.close();
    }
  });

  it('calls a tool, and is told of failures where the protocol has them', async () => {
    const client = await connected(revision, '/mcp');
    const found = await client.callTool({ name: 'search_api', arguments: { q: 'list agents' } });
    expect(found).toMatchObject({
      content: [{ type: 'text', text: expect.stringContaining('GET /agents (read)') as unknown }],
    });
    // What a tool refuses is a result that a model can read; what the protocol refuses is an error.
    expect(await client.callTool({ name: 'read_api', arguments: { path: '/agents/1' } })).toMatchObject({
      isError: true,
    });
    expect(await client.callTool({ name: 'read_api', arguments: {} })).toMatchObject({ isError: true });
    await expect(client.callTool({ name: 'no_such_tool', arguments: {} })).rejects.toThrow();
    await client.close();
  });

  it('ends a call that it no longer wants', async () => {
    const client = await connected(revision, '/mcp');
    const over = new AbortController();
    const called = client.callTool({ name: 'find', arguments: { q: 'x' } }, { signal: over.signal });
    over.abort();
    await expect(called).rejects.toThrow();
    await eventually('the connection is usable', async () => (await client.listTools()).tools.length > 0);
    await client.close();
  });
});

describe('the transport', () => {
  const initialize = (protocolVersion: string) => ({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
  });

  it('answers an unknown revision with one that it speaks', async () => {
    const answered = (await (await post(initialize('1999-01-01'))).text()).replace(/^.*?data: /s, '');
    const { result } = JSON.parse(answered) as { result: { protocolVersion: string } };
    expect(REVISIONS).toContain(result.protocolVersion);
  });

  it('takes notifications with 202 and without a body', async () => {
    const taken = await post({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([taken.status, await taken.text()]).toEqual([202, '']);
  });

  it.each([
    ['a method that there is not', { jsonrpc: '2.0', id: 7, method: 'no/such' }, -32601],
    ['a call without params', { jsonrpc: '2.0', id: 7, method: 'tools/call' }, -32602],
  ])('answers %s with an error of JSON-RPC under its id', async (_name, body, code) => {
    const text = (await (await post(body)).text()).replace(/^.*?data: /s, '');
    expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0', id: 7, error: { code } });
  });

  it('refuses a message that accepts no answer, and one of another revision', async () => {
    expect((await post(initialize('2025-11-25'), { Accept: 'text/html' })).status).toBe(406);
    const foreign = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
    expect((await post(foreign, { 'MCP-Protocol-Version': '1999-01-01' })).status).toBe(400);
  });
});
