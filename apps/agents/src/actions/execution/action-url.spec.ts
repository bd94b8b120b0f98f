import { buildUrl, UrlRefused } from './action-url.js';

const build = (endpoint: string, given: Record<string, unknown> = {}, query = {}, base: string | null = null) =>
  buildUrl({ endpoint, query, base_url: base }, 'https://agent.test/v1', given, Object.keys(given)).href;

describe('the URL of an action', () => {
  it('joins base and endpoint; an absolute endpoint needs no base', () => {
    expect(build('orders/{id}', { id: 7 })).toBe('https://agent.test/v1/orders/7');
    expect(build('/orders', {}, {}, 'https://own.test/')).toBe('https://own.test/orders');
    expect(build('https://abs.test:8443/a')).toBe('https://abs.test:8443/a');
    expect(() => buildUrl({ endpoint: '/a', query: {} }, null, {}, [])).toThrow(UrlRefused);
  });

  it('encodes an argument as one component of path or query', () => {
    expect(build('/o/{id}?q={id}', { id: 'a/b?c#d&e=f' })).toBe(
      'https://agent.test/v1/o/a%2Fb%3Fc%23d%26e%3Df?q=a%2Fb%3Fc%23d%26e%3Df',
    );
    expect(build('/o', { id: 'a&b=c', n: [1] }, { x: '{id}', y: 'n:{n}' })).toBe(
      'https://agent.test/v1/o?x=a%26b%3Dc&y=n%3A%5B1%5D',
    );
  });

  it.each(['@evil.test', '.evil.test', ':99', '//evil.test/', '\\evil.test', 'https://evil.test', '#', '\t\n'])(
    'keeps its host for the argument %j',
    (id) => {
      const url = new URL(build('https://good.test/{id}', { id }));
      expect([url.origin, url.username]).toEqual(['https://good.test', '']);
    },
  );

  it('refuses a host that is a template, even with a harmless argument', () => {
    expect(() => build('https://{host}/a', { host: 'good.test' })).toThrow(UrlRefused);
    expect(() => build('https://good.test{id}', { id: '@evil.test' })).toThrow(UrlRefused);
    expect(() => build('/a', {}, {}, 'https://{x}.test')).toThrow(UrlRefused);
  });

  it.each(['..', '.', '%2e%2e', ''])('refuses the relative path segment %j', (id) => {
    if (id === '%2e%2e') expect(build('/a/{id}/b', { id })).toContain('/a/%252e%252e/b');
    else expect(() => build('/a/{id}/b', { id })).toThrow(UrlRefused);
  });

  it('refuses dots that two arguments form together', () => {
    expect(() => build('/a/{x}{y}', { x: '.', y: '.' })).toThrow(UrlRefused);
    expect(() => build('/a/.{x}', { x: '.' })).toThrow(UrlRefused);
  });

  it('leaves a query parameter out whose only argument is absent', () => {
    const url = buildUrl({ endpoint: 'https://a.test/', query: { q: '{q}', p: '1' } }, null, {}, ['q']);
    expect(url.href).toBe('https://a.test/?p=1');
  });
});
