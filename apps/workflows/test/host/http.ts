import { startHttpTarget } from '@signalbox/testing';
import { company, world } from './fixture.js';

describe('ctx.http.fetch', () => {
  it('gives JSON that is nested too deep as a text alone', async () => {
    const body = '['.repeat(20_000) + ']'.repeat(20_000);
    world.target.answerWith(() => ({ status: 200, headers: { 'Content-Type': 'application/json' }, body }));
    const run = await company.runBody(
      `const { status, text, json } = await ctx.http.fetch('${world.target.url}/deep', {});
      return { status, length: text.length, json };`,
    );
    expect(run.output).toEqual({ status: 200, length: body.length, json: null });
  });

  it('calls an address that may be called and returns status, headers, text and JSON', async () => {
    world.target.answerWith(() => ({
      status: 201,
      headers: { 'X-A': 'b', 'Content-Type': 'application/json' },
      body: '{"a":1}',
    }));
    const url = `${world.target.url}/things?q=1`;
    const before = world.target.calls.length;
    const run = await company.runBody(
      `return ctx.http.fetch('${url}', { method: 'post', headers: { 'X-Y': 'z' }, body: { n: 1 } });`,
    );
    expect(run.output).toMatchObject({ status: 201, text: '{"a":1}', json: { a: 1 } });
    expect((run.output as { headers: Record<string, string> }).headers).toMatchObject({ 'x-a': 'b' });
    expect(world.target.calls.slice(before)).toMatchObject([
      { method: 'POST', path: '/things?q=1', headers: { 'x-y': 'z', 'content-type': 'application/json' } },
    ]);
    expect(String(world.target.calls.at(-1)?.body)).toBe('{"n":1}');
    expect((await company.timeline(run.id)).filter(({ type }) => type === 'call')).toMatchObject([
      {
        member: 'http.fetch',
        status: 'SUCCESS',
        about: { method: 'POST', status: 201 },
        duration_ms: expect.any(Number),
      },
    ]);
  });

  it('of a private address, after its time limit and of a closed port is an exception of its name', async () => {
    const names = `const name = (url, options) => ctx.http.fetch(url, options).then(() => 'none', (e) => e.name);`;
    world.target.answerWith(() => ({ hang: true }));
    const run = await company.runBody(`${names} return Promise.all([
      name('http://10.0.0.1/'), name('file:///etc/passwd'), name('${world.target.url}/slow', { timeout_ms: 200 }),
      name('${world.target.url}/', { method: 'TRACE' }), name(7)]);`);
    expect(run.output).toEqual(['EgressDenied', 'EgressDenied', 'TimeoutError', 'TypeError', 'TypeError']);
    const denied = await company.runBody(`await ctx.http.fetch('http://169.254.169.254/');`);
    expect(denied).toMatchObject({ status: 'FAILED', failure_class: 'sandbox', error_code: 'egress_denied' });
  });

  it('sends no secret to another host that it is redirected to, and shows none in its timeline', async () => {
    const secrets = { KEY: 'AbCdEf-0123456789' };
    const other = await startHttpTarget();
    try {
      world.target.answerWith(() => ({ status: 302, headers: { location: `${other.url}/moved` } }));
      const headers = `{ 'X-Vendor': 'key ' + ctx.secrets.get('KEY'), 'X-Plain': 'kept' }`;
      await company.runBody(`await ctx.http.fetch('${world.target.url}/', { headers: ${headers} });`, { secrets });
      expect(world.target.calls.at(-1)?.headers).toMatchObject({ 'x-vendor': `key ${secrets.KEY}` });
      expect(other.calls[0]?.headers).toMatchObject({ 'x-plain': 'kept' });
      expect(other.calls[0]?.headers).not.toHaveProperty('x-vendor');
    } finally {
      await other.close();
    }
    const named = `return ctx.http.fetch('http://' + ctx.secrets.get('KEY') + '.example/').catch(({ name }) => name);`;
    const run = await company.runBody(named, { secrets });
    expect(run.output).toBe('TypeError');
    const [call] = (await company.timeline(run.id)).filter(({ member }) => member === 'http.fetch');
    expect(call?.about).toEqual({ method: 'GET', error: 'TypeError' });
  });
});
