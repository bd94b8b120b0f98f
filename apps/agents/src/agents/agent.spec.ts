import { checkHttpUrl, switchAgent, updateAgent } from './agent.js';

describe('an agent', () => {
  it.each([
    ['ENABLED', 'ENABLED', undefined],
    ['ENABLED', 'DISABLED', 'agent.disabled'],
    ['DISABLED', 'ENABLED', 'agent.enabled'],
    ['DISABLED', 'DISABLED', undefined],
  ] as const)('%s switched to %s tells %s', (from, to, event) => {
    expect(switchAgent({ status: from }, to).events?.[0]?.event).toBe(event);
  });

  it('tells of an update, and of a change of status beside it', () => {
    const names = (change: object) => updateAgent({ status: 'ENABLED' }, change).events?.map(({ event }) => event);
    expect(names({})).toBeUndefined();
    expect(names({ agent_name: 'b' })).toEqual(['agent.updated']);
    expect(names({ status: 'ENABLED' })).toEqual(['agent.updated']);
    expect(names({ status: 'DISABLED' })).toEqual(['agent.updated', 'agent.disabled']);
  });

  it.each(['ftp://a.b', 'http:x', 'https://u:p@a.b', 'https://', 'javascript:1'])('refuses %s as its base', (url) => {
    expect(() => checkHttpUrl('base_url', url)).toThrow();
  });

  it.each(['https://a.b/x', 'http://127.0.0.1:80', null, undefined])('takes %s as its base', (url) => {
    expect(() => checkHttpUrl('base_url', url)).not.toThrow();
  });
});
