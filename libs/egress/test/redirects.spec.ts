import { Egress, SecretBag, type EgressRequest } from '@signalbox/egress';
import { startHttpTarget, type HttpTarget } from '@signalbox/testing';
import { startWiretap, type Wiretap } from './wiretap.js';

const STATUSES = [301, 302, 303, 307, 308];

describe('redirects', () => {
  let first: HttpTarget;
  let second: HttpTarget;
  let forbidden: Wiretap;
  let egress: Egress;

  beforeAll(async () => {
    first = await startHttpTarget();
    second = await startHttpTarget({ host: '127.0.0.2' });
    forbidden = await startWiretap('127.0.0.1');
    egress = new Egress({ allow: [`127.0.0.1:${first.port}`, '127.0.0.2/32'] });
  });

  beforeEach(() => {
    first.calls.length = 0;
    second.calls.length = 0;
  });

  afterAll(async () => {
    await egress.close();
    await Promise.all([first.close(), second.close(), forbidden.close()]);
  });

  const redirectTo = (location: string, status: number) =>
    first.answerWith((call) => (call.path === '/start' ? { status, headers: { location } } : { body: 'here' }));
  const post = (more: Partial<EgressRequest> = {}) =>
    egress.fetch({
      url: `${first.url}/start`,
      method: 'POST',
      headers: { 'content-type': 'text/plain', 'x-plain': 'kept' },
      body: 'payload',
      timeoutMs: 2_000,
      ...more,
    });

  it('a body that is sent while it is read is not repeated', async () => {
    redirectTo(`${second.url}/other`, 307);
    const body = (async function* () {
      yield Buffer.from('pay');
      yield Buffer.from('load');
    })();
    await expect(post({ body, bodyBytes: 7 })).rejects.toMatchObject({ reason: 'redirects' });
    const [sent] = first.calls;
    expect([String(sent?.body), sent?.headers['content-length']]).toEqual(['payload', '7']);
    expect(second.calls).toHaveLength(0);
  });

  it.each(STATUSES)('a %i to a forbidden target ends the call', async (status) => {
    const port = forbidden.port;
    const places = ['127.0.0.1', '2130706433', '[::ffff:127.0.0.1]', 'localhost', 'user@127.0.0.2', '%31%32%37.0.0.1'];
    for (const location of [
      ...places.map((host) => `http://${host}:${port}/`),
      `//127.0.0.1:${port}/`,
      'file:///etc/passwd',
    ]) {
      redirectTo(location, status);
      await expect(post()).rejects.toMatchObject({ kind: 'egress_denied' });
    }
    expect([forbidden.connections, forbidden.bytes]).toEqual([0, 0]);
  });

  it.each(STATUSES)('a %i within the host keeps or changes the method as fetch does', async (status) => {
    redirectTo('/end', status);
    const answer = await post({ headers: { 'content-type': 'text/plain', authorization: 'Bearer abc' } });
    expect(answer.url).toBe(`${first.url}/end`);
    const call = first.calls[1]!;
    const kept = status >= 307;
    expect([call.method, call.body.toString()]).toEqual(kept ? ['POST', 'payload'] : ['GET', '']);
    expect(call.headers['content-type']).toBe(kept ? 'text/plain' : undefined);
    expect(call.headers.authorization).toBe('Bearer abc');
  });

  it.each(STATUSES)('a %i to another host drops every credential', async (status) => {
    redirectTo(`${second.url}/end`, status);
    const headers = {
      authorization: 'Bearer abc',
      cookie: 'a=b',
      'X-Api-Key': 'k',
      'x-custom': 'v-{{secrets.TOKEN}}',
      'x-plain': 'kept',
    };
    await post({ headers, secrets: new SecretBag({ TOKEN: 'sesame-open' }) });
    expect(first.calls[0]!.headers['x-custom']).toBe('v-sesame-open');
    const arrived = second.calls[0]!.headers;
    expect(arrived['x-plain']).toBe('kept');
    for (const name of ['authorization', 'cookie', 'x-api-key', 'x-custom']) expect(arrived[name]).toBeUndefined();
  });

  it('a dropped credential stays dropped on the way back', async () => {
    redirectTo(`${second.url}/hop`, 307);
    second.answerWith(() => ({ status: 307, headers: { location: `${first.url}/end` } }));
    await post({ basicAuth: { username: 'ann', password: 'pass' } });
    expect(first.calls.map(({ headers }) => headers.authorization)).toEqual(['Basic YW5uOnBhc3M=', undefined]);
  });

  it('three redirects are followed, a fourth is one too many', async () => {
    const hops = (last: number) =>
      first.answerWith((_, index) =>
        index < last ? { status: 302, headers: { location: `/${index}` } } : { body: 'end' },
      );
    hops(3);
    expect((await post()).body.toString()).toBe('end');
    first.calls.length = 0;
    hops(4);
    await expect(post()).rejects.toMatchObject({ kind: 'egress_failed', reason: 'redirects' });
    expect(first.calls).toHaveLength(4);
  });

  it('without redirects the redirect itself is the response', async () => {
    redirectTo(`http://127.0.0.1:${forbidden.port}/`, 302);
    expect((await post({ maxRedirects: 0 })).status).toBe(302);
    expect(first.calls).toHaveLength(1);
  });

  it('a redirect without a location is an ordinary response', async () => {
    first.answerWith(() => ({ status: 301, headers: {}, body: 'gone' }));
    expect((await post()).status).toBe(301);
  });
});
