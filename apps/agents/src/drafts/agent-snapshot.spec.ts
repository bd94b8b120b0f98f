import { type AgentSnapshot, freezeLinks, type LinkDraft, split } from './agent-snapshot.js';

describe('a snapshot of an agent', () => {
  const link = (child_agent_id: number, change: Partial<LinkDraft> = {}): LinkDraft => ({
    id: child_agent_id,
    child_agent_id,
    version: null,
    release: null,
    action_result_type: 'gather_info',
    position: 0,
    ...change,
  });

  it('freezes a link without version and release to the latest version of the child, others stay', () => {
    const links = [link(1), link(2, { version: '0.1.0' }), link(3, { release: 'stable' })];
    expect(freezeLinks(links, new Map([[1, '1.2.0']]))).toEqual([
      link(1, { version: '1.2.0', frozen: true }),
      link(2, { version: '0.1.0' }),
      link(3, { release: 'stable' }),
    ]);
  });

  it('freezes no link to a child that was never published', () => {
    expect(() => freezeLinks([link(1)], new Map())).toThrow('has no published version');
  });

  it('has fields and parts', () => {
    const snapshot = { agent_name: 'a', meta: {}, actions: [], routing_rules: [] } as unknown as AgentSnapshot;
    expect(split(snapshot)).toMatchObject({ fields: { agent_name: 'a', meta: {} }, parts: { actions: [] } });
    expect(Object.keys(split(snapshot).fields)).toEqual(['agent_name', 'meta', 'mcp_servers']);
  });
});
