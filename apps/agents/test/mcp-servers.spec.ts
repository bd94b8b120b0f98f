import { agents } from '@signalbox/contracts';
import { PAGE } from './world.js';
import {
  agentWith,
  type Body,
  call,
  company,
  created,
  endpoints,
  errorOf,
  got,
  outside,
  ready,
} from './mcp-servers/fixture.js';
import './mcp-servers/refreshes.js';
import './mcp-servers/tools.js';

describe('an MCP server', () => {
  it('is created, listed, changed and deleted, with events and audit entries without its credentials', async () => {
    const made = await created({ headers: { 'X-Key': 'literal', Authorization: 'Bearer {{secrets.TOKEN}}' } });
    expect(made).toMatchObject({ name: 'shop', tool_count: 0, refreshed_at: null, refresh_error: null, tools: [] });
    const list = await outside.platform.bus.call(endpoints.listMcpServers, PAGE, company.world.caller());
    expect(list).toMatchObject({ data: [{ id: made.id, name: 'shop' }], pagination: { total: 1 } });
    expect(list.data[0]).not.toHaveProperty('tools');
    expect(await call('updateMcpServer', { mcp_server_id: made.id, name: 'store' })).toMatchObject({ name: 'store' });
    expect(await call('deleteMcpServer', { mcp_server_id: made.id })).toEqual({ id: made.id, deleted: true });
    expect((await errorOf(got(made.id))).status).toBe(404);
    expect(await company.world.events('mcp_server', made.id)).toEqual([
      'mcp_server.created',
      'mcp_server.updated',
      'mcp_server.deleted',
    ]);
    const audits = JSON.stringify(await company.world.audits('mcp_server', made.id));
    expect(audits).not.toContain('literal');
    expect(audits).toContain('{{secrets.TOKEN}}');
  });

  it.each<[string, Partial<Body>, number]>([
    ['a header of the protocol', { headers: { 'Mcp-Session-Id': 'x' } }, 400],
    ['a placeholder in its URL', { url: 'http://a.example/{{secrets.X}}' }, 400],
    ['credentials in its URL', { url: 'http://u:p@a.example/' }, 400],
    ['another scheme', { url: 'ftp://a.example/' }, 400],
    ['a name that is no slug', { name: 'My Shop' }, 400],
  ])('is refused with %s', async (_name, change, status) => {
    expect((await errorOf(created(change))).status).toBe(status);
  });

  it('has a name of its own in the company, and is not there for others', async () => {
    const made = await created();
    expect((await errorOf(created())).status).toBe(409);
    const other = await outside.company();
    const foreign = { mcp_server_id: made.id };
    for (const read of ['getMcpServer', 'deleteMcpServer'] as const)
      expect((await errorOf(outside.platform.bus.call(endpoints[read], foreign, other.world.caller()))).status).toBe(
        404,
      );
    const asked = outside.platform.bus.call(
      endpoints.refreshMcpServer,
      { ...foreign, secrets: {} },
      other.world.caller(),
    );
    expect((await errorOf(asked)).status).toBe(404);
    expect((await errorOf(other.world.agent({ mcp_servers: [made.id] }))).status).toBe(404);
  });

  it('is not deleted while a draft names it', async () => {
    const { id } = await ready();
    const agentId = await agentWith(id);
    expect(await errorOf(call('deleteMcpServer', { mcp_server_id: id }))).toEqual({
      status: 409,
      message: 'the MCP server is used by Helper',
    });
    await outside.platform.bus.call(
      agents.endpoints.updateAgent,
      { agent_id: agentId, mcp_servers: [] },
      company.world.caller(),
    );
    expect((await errorOf(call('deleteMcpServer', { mcp_server_id: id }))).status).toBe(200);
  });
});
