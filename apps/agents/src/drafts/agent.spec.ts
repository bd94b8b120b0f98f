import { checkHttpUrl, switchAgent, updateAgent } from './agent.js';

describe('an agent', () => {
  it.each([
    ['ENABLED', 'ENABLED', undefined],
    ['ENABLED', 'DISABLED', 'agent.disabled'],
    ['DISABLED', 'ENABLED', 'agent.enabled'],
    ['DISABLED', 'DISABLED', undefined],
  ] as const)('%s switched to %s emits %s', (from, to, event) => {
    expect(switchAgent({ status: from }, to).events?.[0]?.event).toBe(event);
  });

  it('emits an event for an update and another for a change of status', () => {
    const names = (change: object) => updateAgent({ status: 'ENABLED' }, change).events?.map(({ event }) => event);
    expect(names({})).toBeUndefined();
    expect(names({ agent_name: 'b' })).toEqual(['agent.updated']);
    expect(names({ status: 'ENABLED' })).toEqual(['agent.updated']);
    expect(names({ status: 'DISABLED' })).toEqual(['agent.updated', 'agent.disabled']);
  });

  it.each(['ftp://a.b', 'http:x', 'https://u:p@a.b', 'https://', 'javascript:1'])('refuses the base URL %s', (url) => {
    expect(() => checkHttpUrl('base_url', url)).toThrow();
  });

  it.each(['https://a.b/x', 'http://127.0.0.1:80', null, undefined])('accepts the base URL %s', (url) => {
    expect(() => checkHttpUrl('base_url', url)).not.toThrow();
  });
});
