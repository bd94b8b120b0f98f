import { apiKeys, operator } from '@signalbox/contracts';
import { eventually, Platform } from '@signalbox/testing';
import { ask } from './client.js';
import { sendRaw } from './raw-http.js';

let platform: Platform;
let own: { key: string; companyId: number };
let other: { key: string; companyId: number };
beforeAll(async () => {
  platform = await Platform.shared(['accounts', 'traffic', 'gateway']);
  own = await platform.company('Acme');
  other = await platform.company('Other');
}, 60_000);
afterAll(() => platform?.stop());

const PAGE = { 'Sec-Fetch-Site': 'same-origin' };
const signIn = (body: unknown, headers: Record<string, string> = PAGE) =>
  ask(platform, 'POST', '/portal/session', { body, headers });

/** Signs in and returns the cookie as the browser sends it. */
async function cookieOf(body: object): Promise<string> {
  const { status, headers } = await signIn(body);
  expect(status).toBe(200);
  return (headers.get('set-cookie') ?? '').split(';')[0] ?? '';
}
const company = ({ companyId }: { companyId: number }) => `/c/${companyId}/api/v1/company`;
const call = (cookie: string, path: string, method = 'GET', headers: Record<string, string> = PAGE, body?: unknown) =>
  ask(platform, method, path, { headers: { Cookie: cookie, ...headers }, ...(body === undefined ? {} : { body }) });
const make = (scopes: string[]) =>
  platform.bus.call(
    apiKeys.endpoints.createApiKey,
    { name: 'browser', scopes } as never,
    platform.caller(own.companyId),
  ) as Promise<{ id: number; key: string }>;
const ticket = async (companyId: number): Promise<string> => {
  const made = await platform.bus.call(
    operator.endpoints.createPortalTicket,
    { company_id: companyId },
    platform.caller(0),
  );
  return made.ticket ?? '';
};

describe('a session of the portal', () => {
  it('is opened with a key and serves the API of its company below its path', async () => {
    const { body, headers } = await signIn({ key: own.key });
    expect(body).toEqual({
      data: {
        company_id: own.companyId,
        company_name: 'Acme',
        key_name: 'admin',
        scopes: expect.arrayContaining(['read', 'admin']) as unknown,
        expires_at: expect.any(Number) as unknown,
      },
    });
    expect(headers.get('set-cookie')).toMatch(
      new RegExp(`^signalbox=[\\w-]{43}; Path=/c/${own.companyId}/; HttpOnly; SameSite=Strict; Max-Age=604800$`),
    );
    const cookie = (headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    expect(await call(cookie, company(own))).toMatchObject({ status: 200, body: { data: { name: 'Acme' } } });
    expect((await call(cookie, `/c/${own.companyId}/session`)).body).toEqual(body);
    expect((await call(cookie, `/c/${own.companyId}/api/v1/agents/0`)).status).toBe(400);
    expect((await call(cookie, `/c/${own.companyId}/api/v1/nowhere`)).status).toBe(404);
  });

  it('counts nowhere else: not for another company, not outside of its path', async () => {
    const cookie = await cookieOf({ key: own.key });
    expect((await call(cookie, company(other))).status).toBe(401);
    expect((await call(cookie, '/api/v1/company')).status).toBe(401);
    const page = await call(cookie, `/c/0${own.companyId}/api/v1/company`);
    expect(page.headers.get('content-type')).toContain('text/html');
    expect((await call(cookie, `/c/${other.companyId}/session`)).body).toEqual({ data: null });
    expect((await call(cookie, `/c/${other.companyId}/session`, 'DELETE')).status).toBe(401);
    expect((await call(cookie, company(own))).status).toBe(200);
  });

  it.each<[string, string, Record<string, string>]>([
    ['another port of the host', 'POST', { 'Sec-Fetch-Site': 'same-site' }],
    ['another site', 'POST', { 'Sec-Fetch-Site': 'cross-site' }],
    ['another site that reads', 'GET', { 'Sec-Fetch-Site': 'cross-site' }],
    ['a link that posts', 'POST', { 'Sec-Fetch-Site': 'none' }],
    ['another origin without fetch metadata', 'POST', { Origin: 'http://localhost:1' }],
    ['a request without any origin', 'POST', {}],
  ])('does not count in a request of %s', async (_, method, headers) => {
    const cookie = await cookieOf({ key: own.key });
    const path = `/c/${own.companyId}/api/v1/applications`;
    const body = method === 'POST' ? { application_name: 'Forged' } : undefined;
    expect((await call(cookie, path, method, headers, body)).status).toBe(401);
    if (method === 'POST') expect((await signIn({ key: own.key }, headers)).status).toBe(401);
  });

  it('stands behind a key in the header, which has to belong to the company of the address', async () => {
    const cookie = await cookieOf({ key: own.key });
    const withKey = (key: string) => call(cookie, company(own), 'GET', { 'X-Service-Api-Key': key });
    expect((await withKey(own.key)).status).toBe(200);
    expect((await withKey(other.key)).status).toBe(401);
    expect((await call(cookie, company(own), 'GET', { ...PAGE, 'X-Service-Api-Key': 'x' })).status).toBe(401);
  });

  it('is no session when it is guessed, cut, or sent twice', async () => {
    const cookie = await cookieOf({ key: own.key });
    expect((await call(`signalbox=${'A'.repeat(43)}`, company(own))).status).toBe(401);
    expect((await call(cookie.slice(0, -1), company(own))).status).toBe(401);
    expect((await call(`${cookie}; ${cookie}`, company(own))).status).toBe(401);
    expect((await call(`other=1; ${cookie}; more=2`, company(own))).status).toBe(200);
  });

  it('has the scopes that its key has now', async () => {
    const key = await make(['read', 'write']);
    const cookie = await cookieOf({ key: key.key });
    const write = () => call(cookie, `/c/${own.companyId}/api/v1/tags`, 'POST', PAGE, { tag_name: `t${Date.now()}` });
    expect((await write()).status).toBe(200);
    const caller = platform.caller(own.companyId);
    await platform.bus.call(apiKeys.endpoints.updateApiKey, { api_key_id: key.id, scopes: ['read'] } as never, caller);
    await eventually('the session may no longer write', async () => (await write()).status === 403);
    await platform.bus.call(apiKeys.endpoints.revokeApiKey, { api_key_id: key.id }, caller);
    await eventually('the session has ended', async () => (await call(cookie, company(own))).status === 401);
    expect((await call(cookie, `/c/${own.companyId}/session`)).body).toEqual({ data: null });
  });

  it('ends when its browser signs out, with its cookie', async () => {
    const cookie = await cookieOf({ key: own.key });
    expect((await call(cookie, company(own))).status).toBe(200);
    const out = await call(cookie, `/c/${own.companyId}/session`, 'DELETE');
    expect(out.headers.get('set-cookie')).toMatch(/^signalbox=; Path=\/c\/\d+\/; .*Max-Age=0$/);
    await eventually('the cookie is refused', async () => (await call(cookie, company(own))).status === 401);
  });

  it('is listed, and ended by another admin', async () => {
    const cookie = await cookieOf({ key: own.key });
    const path = `/c/${own.companyId}/api/v1/portal-sessions`;
    const { body } = (await call(cookie, path)) as { body: { data: { id: number; key_name: string }[] } };
    const [newest] = body.data;
    expect(newest).toMatchObject({ key_name: 'admin', user_agent: expect.any(String) as unknown });
    const ended = await ask(platform, 'DELETE', `/api/v1/portal-sessions/${newest?.id}`, { key: own.key });
    expect(ended.body).toEqual({ data: { id: newest?.id, deleted: true } });
    await eventually('the session has ended', async () => (await call(cookie, company(own))).status === 401);
    const foreign = await ask(platform, 'DELETE', `/api/v1/portal-sessions/${newest?.id}`, { key: other.key });
    expect(foreign.status).toBe(404);
  });

  it('ends when it was not used for twelve hours, and is swept with expired tickets', async () => {
    const cookie = await cookieOf({ key: own.key });
    await platform.sql.query('UPDATE accounts.portal_sessions SET last_seen_at = last_seen_at - 43200001');
    expect((await call(cookie, company(own))).status).toBe(401);
  });
});

describe('an open stream', () => {
  const leaving = new AbortController();
  afterAll(() => leaving.abort());
  const open = ({ companyId }: { companyId: number }, cookie: string) =>
    fetch(`http://127.0.0.1:${platform.port}/c/${companyId}/api/v1/events`, {
      headers: { Cookie: cookie, ...PAGE },
      signal: leaving.signal,
    });
  /** Sets when the sessions of the company were last used. */
  const usedAgo = ({ companyId }: { companyId: number }, ms: number) =>
    platform.sql.query('UPDATE accounts.portal_sessions SET last_seen_at = $1 WHERE company_id = $2', [
      Date.now() - ms,
      companyId,
    ]);

  it('does not keep its session from ending when it is not used', async () => {
    const watcher = await platform.company('Watcher');
    const cookie = await cookieOf({ key: watcher.key });
    const stream = await open(watcher, cookie);
    // Longer than a look-up of the session is cached.
    await usedAgo(watcher, 12 * 3_600_000 - 6000);
    expect(await stream.text()).toMatch(/event: error\ndata: {"type":"error","status":401/);
  });

  it('does not hide that its session is used', async () => {
    const user = await platform.company('User');
    const cookie = await cookieOf({ key: user.key });
    await open(user, cookie);
    const longAgo = 3_600_000;
    await usedAgo(user, longAgo);
    await eventually('the use is noted', async () => {
      expect((await call(cookie, company(user))).status).toBe(200);
      const { rows } = await platform.sql.query<{ last_seen_at: string }>(
        'SELECT last_seen_at FROM accounts.portal_sessions WHERE company_id = $1',
        [user.companyId],
      );
      return Number(rows[0]?.last_seen_at) > Date.now() - longAgo / 2;
    });
  });
});

describe('signing in', () => {
  it('with a ticket works once', async () => {
    const once = await ticket(own.companyId);
    const cookie = await cookieOf({ ticket: once });
    expect((await call(cookie, company(own))).status).toBe(200);
    expect((await signIn({ ticket: once })).status).toBe(401);
  });

  it('with a ticket works for five minutes, and a ticket is no session', async () => {
    const late = await ticket(own.companyId);
    expect((await call(`signalbox=${late}`, company(own))).status).toBe(401);
    await platform.sql.query('UPDATE accounts.portal_sessions SET expires_at = 1 WHERE is_ticket');
    expect((await signIn({ ticket: late })).status).toBe(401);
  });

  it.each<[string, unknown, number]>([
    ['an unknown key', { key: `svk_${'a'.repeat(8)}_${'b'.repeat(38)}` }, 401],
    ['an unknown ticket', { ticket: 'x' }, 401],
    ['nothing', {}, 400],
    ['both', { key: 'a', ticket: 'b' }, 400],
    ['another field', { token: 'a' }, 400],
    ['a key that is no text', { key: 7 }, 400],
    ['broken JSON', '{"key":', 400],
    ['a list', [], 400],
    ['a large body', { key: 'k'.repeat(2000) }, 413],
  ])('with %s is refused', async (_, body, status) => expect((await signIn(body)).status).toBe(status));

  it('with a key works a thousand times at once, and again when sessions have ended', async () => {
    const { id, key } = await make(['read']);
    const cookie = await cookieOf({ key });
    await platform.sql.query(
      `INSERT INTO accounts.portal_sessions (company_id, api_key_id, token_hash, is_ticket, last_seen_at, expires_at, user_agent)
       SELECT company_id, api_key_id, sha256(n::text::bytea), is_ticket, last_seen_at, expires_at, user_agent
       FROM accounts.portal_sessions, generate_series(1, 999) n WHERE api_key_id = $1`,
      [id],
    );
    const { status, body } = await signIn({ key });
    expect([status, body]).toEqual([409, { error: expect.objectContaining({ status: 409 }) as unknown }]);
    await call(cookie, `/c/${own.companyId}/session`, 'DELETE');
    expect((await signIn({ key })).status).toBe(200);
  });

  it('is refused in another media type, and never sets a cookie then', async () => {
    const { status, headers } = await signIn('key=x', { ...PAGE, 'Content-Type': 'application/x-www-form-urlencoded' });
    expect(status).toBe(415);
    expect(headers.get('set-cookie')).toBeNull();
  });

  it('is in the audit log, and so is signing out', async () => {
    const { key, companyId } = await platform.company('Audited');
    const cookie = await cookieOf({ key });
    await call(cookie, `/c/${companyId}/session`, 'DELETE');
    await eventually('both are in the audit log', async () => {
      const log = await ask(platform, 'GET', '/api/v1/audit-log?resource_type=portal_session', { key });
      const actions = (log.body as { data: { action: string }[] }).data.map(({ action }) => action);
      return actions.join() === 'delete,create';
    });
  });
});

describe('the files of the portal', () => {
  it.each(['/', '/sign-in', '/c/7/', '/c/7/runs/task/x'])('are one page at %s, with its policy', async (path) => {
    const { status, headers, text } = await ask(platform, 'GET', path);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(headers.get('content-security-policy')).toContain("require-trusted-types-for 'script'");
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
    expect(headers.get('cache-control')).toBe('no-cache');
    expect(text).not.toMatch(/<script(?![^>]*\bsrc=)|<style| style=/);
  });

  it('are compressed, cached by name, and known again by their tag', async () => {
    const { text } = await ask(platform, 'GET', '/');
    const [, script] = /src="(\/assets\/[^"]+\.js)"/.exec(text) ?? [];
    const { headers } = await ask(platform, 'GET', script ?? '', { headers: { 'Accept-Encoding': 'br' } });
    expect(headers.get('content-encoding')).toBe('br');
    expect(headers.get('cache-control')).toContain('immutable');
    const again = await ask(platform, 'GET', script ?? '', { headers: { 'If-None-Match': headers.get('etag') ?? '' } });
    expect(again.status).toBe(304);
  });

  it.each([
    '/assets/..%2findex.html',
    '/assets/%2e%2e/index.html',
    '/assets/../package.json',
    '/assets/',
    '/assets/no.js',
  ])('are nothing else: %s', async (path) => {
    const raw = `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;
    expect((await sendRaw(platform.port, [raw])).status).toBe(404);
  });

  it('are not served for another method', async () => {
    expect((await ask(platform, 'POST', '/c/7/')).status).toBe(404);
    expect((await ask(platform, 'HEAD', '/')).status).toBe(200);
  });
});

/** Last: afterwards the address has used up what it may guess. */
it('cookies that name no session are looked up no more often than an address may guess', async () => {
  const guess = async (at: number): Promise<number> => {
    const cookie = `signalbox=${String(at).padStart(43, 'g')}`;
    return (await call(cookie, `/c/${own.companyId}/session`)).status;
  };
  // On a slow machine a flood may take so long that all of it is admitted.
  await eventually('a flood is refused', async () => {
    const statuses = await Promise.all(Array.from({ length: 400 }, (_, at) => guess(at)));
    return statuses.includes(429);
  });
}, 60_000);
