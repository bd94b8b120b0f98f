import { AllowList, checkTarget, Egress, EgressDenied, InvalidAllowEntry } from '@signalbox/egress';
import { FORBIDDEN_HOSTS, FORBIDDEN_URLS, PUBLIC_HOSTS } from './forbidden-hosts.js';
import { startWiretap, type Wiretap } from './wiretap.js';

const NOTHING = new AllowList([]);

async function reasonOf(call: Promise<unknown>): Promise<string> {
  const error: unknown = await call.then(
    () => new Error('the call was permitted'),
    (thrown: unknown) => thrown,
  );
  if (error instanceof EgressDenied) return error.reason;
  throw error;
}

describe('targets of outgoing calls', () => {
  let v4: Wiretap;
  let v6: Wiretap;
  let egress: Egress;

  beforeAll(async () => {
    v4 = await startWiretap('127.0.0.1');
    v6 = await startWiretap('::1', v4.port);
    // A resolver that resolves every name to this machine.
    const lookup = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    egress = new Egress({ allow: [], lookup });
  });

  afterAll(async () => {
    await egress.close();
    await Promise.all([v4.close(), v6.close()]);
  });

  it('holds at least 150 hosts that must not be reached', () => {
    expect(new Set([...FORBIDDEN_HOSTS, ...FORBIDDEN_URLS.map(([url]) => url)]).size).toBeGreaterThanOrEqual(150);
  });

  it.each(FORBIDDEN_HOSTS)('refuses %s because of its address on the ports of the web', async (host) => {
    for (const url of [`http://${host}/`, `https://${host}/`, `http://${host}:443/a?b`]) {
      expect(await reasonOf(egress.fetch({ url, method: 'POST', body: 'x', timeoutMs: 2_000 }))).toBe('address');
    }
  });

  it.each(FORBIDDEN_HOSTS)('refuses %s on the port of a listener', async (host) => {
    const url = `http://${host}:${v4.port}/`;
    expect(['address', 'port']).toContain(await reasonOf(egress.fetch({ url, method: 'GET', timeoutMs: 2_000 })));
  });

  it.each(FORBIDDEN_HOSTS)('refuses %s on any port when an unrelated network is allowed', async (host) => {
    const url = `http://${host}:${v4.port}/`;
    const call = egress.stream({ url, method: 'GET', timeoutMs: 2_000, allow: ['9.9.9.0/24', 'other.example:8080'] });
    expect(['address', 'port']).toContain(await reasonOf(call));
  });

  it.each(FORBIDDEN_URLS)('refuses %s', async (url, reason) => {
    expect(await reasonOf(egress.fetch({ url, method: 'GET', timeoutMs: 2_000 }))).toBe(reason);
  });

  it('opens no connection to the listeners', () => {
    expect([v4.connections, v4.bytes, v6.connections, v6.bytes]).toEqual([0, 0, 0, 0]);
  });

  it.each(PUBLIC_HOSTS)('permits %s', (host) => {
    expect(checkTarget(`https://${host}/`, NOTHING).protocol).toBe('https:');
  });

  it('never names a resolved address in a refusal', async () => {
    const call = egress.fetch({ url: 'http://a.example.com/', method: 'GET', timeoutMs: 2_000 });
    await expect(call).rejects.toMatchObject({ kind: 'egress_denied', message: 'the host is not a public address' });
  });

  it('refuses the addresses of this machine although they are public', () => {
    const list = new AllowList([], ['8.8.4.4', '2606:4700::/32']);
    expect(() => checkTarget('http://8.8.4.4/', list)).toThrow(EgressDenied);
    expect(() => checkTarget('http://[2606:4700::1111]/', list)).toThrow(EgressDenied);
    expect(checkTarget('http://8.8.8.8/', list).hostname).toBe('8.8.8.8');
  });
});

describe('allow-lists', () => {
  it.each([
    ['localhost:11434', 'http://localhost:11434/v1', true],
    ['localhost:11434', 'http://LOCALHOST.:11434/v1', true],
    ['localhost:11434', 'http://localhost:11435/v1', false],
    ['localhost:11434', 'http://a.localhost:11434/v1', false],
    ['localhost:11434', 'http://127.0.0.1:11434/v1', false],
    ['localhost:80', 'http://localhost/', true],
    ['localhost:80', 'https://localhost/', false],
    ['127.0.0.1:9000', 'http://2130706433:9000/', true],
    ['127.0.0.1:9000', 'http://127.0.0.1:9001/', false],
    ['[::1]:9000', 'http://[0:0::1]:9000/', true],
    ['127.0.0.0/8', 'http://127.9.9.9:1/', true],
    ['127.0.0.0/8', 'http://[::ffff:127.0.0.1]:1/', false],
    ['127.0.0.0/8', 'http://128.0.0.1:1/', false],
    ['fd00::/8', 'http://[fd00::1]:5000/', true],
    ['10.1.2.3', 'http://10.1.2.3:5000/', true],
    ['10.1.2.3', 'http://10.1.2.4:5000/', false],
    ['example.com:8443', 'https://example.com:8443/', true],
    ['bücher.example:8443', 'https://xn--bcher-kva.example:8443/', true],
    ['127.0.0.1:9000', 'http://user@127.0.0.1:9000/', false],
    ['127.0.0.1:9000', 'ftp://127.0.0.1:9000/', false],
  ])('%s against %s: %s', (entry, url, allowed) => {
    const check = () => checkTarget(url, new AllowList([entry]));
    if (allowed) expect(check).not.toThrow();
    else expect(check).toThrow(EgressDenied);
  });

  it.each([
    ['models.lan:8080', 'Models.lan.', 8080, true],
    ['models.lan:8080', 'models.lan', 80, false],
    ['10.0.0.0/8', '10.1.2.3', 9000, true],
    ['fd00::/8', '[fd00::1]', 80, true],
    ['10.0.0.0/8', '8.8.8.8', 80, false],
    ['10.0.0.0/8', 'models.lan', 80, false],
  ])('%s lists %s port %i: %s', (entry, host, port, listed) => {
    expect(new AllowList([entry]).lists(host, port)).toBe(listed);
  });

  it.each([
    '',
    'example.com',
    'example.com:',
    'example.com:0',
    'example.com:70000',
    'http://example.com:80',
    '10.0.0.0/33',
    '10.0/8',
    '*',
    '*:80 x',
    'a@b:80',
    '::1/129',
    'a/b:80',
  ])('%p is not an entry', (entry) => {
    expect(() => new AllowList([entry])).toThrow(InvalidAllowEntry);
  });
});
