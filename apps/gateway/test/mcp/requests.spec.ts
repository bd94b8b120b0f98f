import { auditLog } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { ask } from '../client.js';
import { callTool, connectMcp, keyWith } from './client.js';
import { admin, companyId, platform, using } from './fixture.js';

describe('the audit log', () => {
  it('has every call with client and tool, reads and refusals too', async () => {
    const own = await platform.company();
    await using(connectMcp(platform, '/mcp', own.key), async (client) => {
      await callTool(client, 'read_api', { path: '/agents' });
      await callTool(client, 'read_api', { path: '/agents/1' });
      await expect(client.callTool({ name: 'invoke', arguments: { secret: 's3cret' } })).rejects.toThrow();
    });
    await using(connectMcp(platform, '/mcp/run', own.key, 'legacy'), (client) => callTool(client, 'find', { q: 'x' }));
    const read = async () => {
      const query = { offset: 0, limit: 25, sort: 'id', action: ['mcp_call'] } as never;
      const page = await platform.bus.call(auditLog.endpoints.listAuditEntries, query, platform.caller(own.companyId));
      return page.data.map(({ resource_type, resource_id, after }) => ({ resource_type, resource_id, ...after }));
    };
    await eventually('all entries', async () => (await read()).length >= 5);
    const entry = (tool: string, target: string | null, refused: unknown = null) => ({
      resource_type: 'mcp_server',
      resource_id: '/mcp',
      tool,
      client: 'spec-client 2.0',
      target,
      refused,
    });
    expect(await read()).toEqual([
      entry('read_api', 'GET /agents'),
      entry('read_api', 'GET /agents/1'),
      entry('read_api', null, expect.stringMatching(/^404/)),
      entry('invoke', null, expect.stringContaining('no such tool')),
      { ...entry('find', 'x'), resource_id: '/mcp/run', client: 'spec-agent/1.0' },
    ]);
  });
});

describe('a request', () => {
  const META = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const CALL = (query: string) => ({ ...LIST, method: 'tools/call', params: { name: 'find', arguments: { query } } });
  const ACCEPT = { Accept: 'application/json, text/event-stream' };
  const post = (body: unknown, headers: Record<string, string> = {}, key: string | null = admin) =>
    ask(platform, 'POST', '/api/v1/mcp', { key, headers: { ...ACCEPT, ...headers }, body });

  it('needs a key, as bearer or header, and POST', async () => {
    expect((await post(LIST, {}, null)).status).toBe(401);
    expect((await post(LIST, { Authorization: 'Bearer nope' }, null)).status).toBe(401);
    expect((await post(LIST, { Authorization: `Bearer ${admin}` }, null)).status).toBe(200);
    expect((await post(LIST)).status).toBe(200);
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const refused = await ask(platform, method, '/api/v1/mcp', { key: admin });
      expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'POST, OPTIONS']);
    }
  });

  it.each<[string, unknown, Record<string, string>, number]>([
    ['a batch', [LIST, LIST], {}, 400],
    ['an empty batch', [], {}, 400],
    ['text', 'tools', {}, 400],
    ['params that are a list of strings', { ...LIST, params: 'x' }, {}, 400],
    ['another type of content', '<xml/>', { 'Content-Type': 'text/xml' }, 415],
    ['a form', 'a=b', { 'Content-Type': 'application/x-www-form-urlencoded' }, 415],
    ['a compressed body', LIST, { 'Content-Encoding': 'gzip' }, 415],
    ['more than 1 MiB', { ...LIST, params: { x: 'x'.repeat(1_100_000) } }, {}, 413],
    ['a deep body', `${'['.repeat(100)}${']'.repeat(100)}`, {}, 400],
    ['a prototype', '{"__proto__": {}}', {}, 400],
    ['bytes that are not UTF-8', Buffer.from(JSON.stringify(CALL('caf\xe9')), 'latin1'), {}, 400],
    ['NUL', CALL('a\0b'), {}, 400],
    ['half of a character', CALL('\ud800'), {}, 400],
    ['a page of another site', LIST, { Origin: 'https://evil.example' }, 403],
    ['an unknown revision', LIST, { 'MCP-Protocol-Version': '1999-01-01' }, 400],
    ['a revision with batches', LIST, { 'MCP-Protocol-Version': '2025-03-26' }, 400],
    ['a client that takes no events', LIST, { Accept: 'text/html' }, 406],
  ])('is refused for %s', async (_, body, headers, status) => {
    expect((await post(body, headers)).status).toBe(status);
  });

  it('may come from a page of the platform, by any name of this machine, and no other', async () => {
    const { port } = new URL(platform.baseUrl);
    for (const name of ['localhost', '127.0.0.1', '[::1]'])
      expect((await post(LIST, { Origin: `http://${name}:${port}` })).status).toBe(200);
    for (const origin of [
      `http://localhost:1${port}`,
      `https://localhost:${port}`,
      `http://evil.example:${port}`,
      'null',
    ])
      expect((await post(LIST, { Origin: origin })).status).toBe(403);
  });

  it('has no session, whatever its header says', async () => {
    const init = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
    const started = await post({ jsonrpc: '2.0', id: 1, method: 'initialize', params: init });
    expect([started.status, started.headers.get('mcp-session-id')]).toEqual([200, null]);
    const key = await keyWith(platform, companyId, ['invoke']);
    const stolen = await post(LIST, { 'Mcp-Session-Id': '1868a90c-97f8-4f9e-8ec5-7b1b1b1b1b1b' }, key);
    expect([stolen.status, stolen.text.includes('read_api')]).toEqual([200, false]);
  });

  it('opens no stream of changes: there are none', async () => {
    const params = { notifications: { toolsListChanged: true }, _meta: META };
    const headers = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'subscriptions/listen' };
    const asked = { jsonrpc: '2.0', id: 'a-1', method: 'subscriptions/listen', params };
    const { status, text } = await post(asked, headers);
    expect([status, JSON.parse(text)]).toEqual([
      404,
      { jsonrpc: '2.0', id: 'a-1', error: { code: -32601, message: 'Method not found' } },
    ]);
  });

  it('speaks the revisions it lists', async () => {
    const init = (protocolVersion: string) => ({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion, capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    });
    for (const [asked, given] of Object.entries({
      '2025-06-18': '2025-06-18',
      '2025-11-25': '2025-11-25',
      '2024-11-05': '2025-11-25',
    }))
      expect((await post(init(asked))).text).toContain(`"protocolVersion":"${given}"`);
  });
});
