import { apiKeys } from '@signalbox/contracts';
import { eventually, Platform } from '@signalbox/testing';
import { ask } from './client.js';

let platform: Platform;
let admin: string;
let reader: string;
/** The id of the only key of the company that may manage keys. */
let adminId: number;
beforeAll(async () => {
  platform = await Platform.shared(['accounts', 'gateway']);
  await platform.processes.get('agents')?.kill();
  const made = await platform.company('Acme');
  admin = made.key;
  const caller = platform.caller(made.companyId);
  const key = await platform.bus.call(apiKeys.endpoints.createApiKey, { name: 'r', scopes: ['read'] }, caller);
  reader = key.key ?? '';
  const { rows } = await platform.sql.query<{ id: number }>(
    'SELECT min(id) AS id FROM accounts.api_keys WHERE company_id = $1',
    [made.companyId],
  );
  adminId = rows[0]?.id ?? 0;
}, 60_000);
afterAll(() => platform?.stop());

const API = '/api/v1';
const gzip = { 'Content-Encoding': 'gzip' };
const xml = { 'Content-Type': 'application/xml' };
const big = 'x'.repeat(1_048_577);

type Row = [
  title: string,
  status: number,
  method: string,
  path: string,
  who: 'none' | 'bad' | 'read' | 'admin',
  options?: Parameters<typeof ask>[3],
];

const ROWS: Row[] = [
  ['no key on a served path', 401, 'GET', '/company', 'none'],
  ['no key on an unknown path', 401, 'GET', '/nope', 'none'],
  ['no key with a method not served', 401, 'DELETE', '/company', 'none'],
  ['no key with a body too large', 401, 'PUT', '/company', 'none', { body: big }],
  ['no key with a body of another type', 401, 'PUT', '/company', 'none', { body: '<a/>', headers: xml }],
  ['no key with a malformed path', 401, 'GET', '/agents/%ff%', 'none'],
  ['no key on the bare prefix', 401, 'GET', '', 'none'],
  ['a wrong key on an unknown path', 401, 'GET', '/nope', 'bad'],
  ['an unknown path', 404, 'GET', '/nope', 'read'],
  ['an unknown path with a body of another type', 404, 'POST', '/nope', 'read', { body: '<a/>', headers: xml }],
  ['a method not served', 405, 'DELETE', '/company', 'read'],
  ['a method not served with a bad body', 405, 'POST', '/company', 'read', { body: '{' }],
  ['a literal path with the method of another', 405, 'PUT', '/api-keys/current', 'read', { body: {} }],
  ['a key without the scope', 403, 'PUT', '/company', 'read', { body: {} }],
  ['without the scope, body too large', 403, 'PUT', '/company', 'read', { body: big }],
  ['without the scope, other type', 403, 'PUT', '/company', 'read', { body: '<a/>', headers: xml }],
  ['without the scope, bad path id', 403, 'GET', '/api-keys/abc', 'read'],
  ['a body too large', 413, 'PUT', '/company', 'admin', { body: big }],
  ['a body of another type', 415, 'PUT', '/company', 'admin', { body: '<a/>', headers: xml }],
  [
    'a form',
    415,
    'PUT',
    '/company',
    'admin',
    { body: 'a=1', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
  ],
  ['text', 415, 'PUT', '/company', 'admin', { body: '{}', headers: { 'Content-Type': 'text/plain' } }],
  ['a compressed body', 415, 'PUT', '/company', 'admin', { body: '{}', headers: gzip }],
  ['other type on a bad path id', 415, 'PUT', '/api-keys/abc', 'admin', { body: '<a/>', headers: xml }],
  ['malformed JSON', 400, 'PUT', '/company', 'admin', { body: '{' }],
  ['a body that is a list', 400, 'PUT', '/company', 'admin', { body: [] }],
  ['a body that is text', 400, 'PUT', '/company', 'admin', { body: '"x"' }],
  ['an unknown field', 400, 'PUT', '/company', 'admin', { body: { nope: 1 } }],
  ['a read-only field', 400, 'PUT', '/company', 'admin', { body: { id: 1 } }],
  ['a bad path id before the look-up of the id', 400, 'GET', '/api-keys/abc', 'admin'],
  ['an unknown query parameter', 400, 'GET', '/company?x=1', 'admin'],
  ['a limit out of bounds', 400, 'GET', '/api-keys?limit=101', 'admin'],
  ['an unknown id', 404, 'GET', '/api-keys/999999', 'admin'],
  ['a transition that is not allowed', 409, 'POST', '/api-keys/%ID%/revoke', 'admin'],
  ['a service that is down', 503, 'GET', '/agents/1', 'admin'],
];

describe('the order of errors', () => {
  it.each(ROWS.map((row) => [row[0], row[1], row] as const))('%s is %i', async (_title, _status, row) => {
    const [, status, method, path, who, options] = row;
    const key = { none: null, bad: `${admin.slice(0, -1)}!`, read: reader, admin }[who];
    const answer = await ask(platform, method, API + path.replace('%ID%', String(adminId)), { key, ...options });
    expect(answer.status).toBe(status);
    const { error } = answer.body as { error: { status: number; message: string } };
    expect(error.status).toBe(status);
    expect(error.message).toMatch(/^.{3,200}$/);
    expect(error.message).not.toMatch(/ at \/|SELECT|node_modules/);
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
    if (status === 401) expect(error.message).toBe('company_id is missing');
    if (status === 403) expect(error.message).toMatch(/^missing scope: (read|write|invoke|admin)$/);
    if (status === 405) expect(answer.headers.get('allow')).toContain('GET');
    if (status === 503) expect(answer.headers.get('retry-after')).toBe('1');
  });

  it('names every bad field in details', async () => {
    const { body } = await ask(platform, 'POST', `${API}/api-keys`, { key: admin, body: { scopes: ['x'], nope: 1 } });
    const { details } = (body as { error: { details: { field: string }[] } }).error;
    expect(details.map(({ field }) => field).sort()).toEqual(['name', 'nope', 'scopes']);
  });

  it('responds outside the prefix with 404 and the envelope, without a key', async () => {
    for (const path of ['/nope', '/assets', '/api', '/api/v2/agents', '/api/v10']) {
      const { status, body } = await ask(platform, 'GET', path);
      expect([path, status, body]).toEqual([path, 404, { error: { status: 404, message: 'no such endpoint' } }]);
    }
  });
});

describe('paths and methods', () => {
  it('tells a client with a bearer token that there is nothing at a path, not that it has no key', async () => {
    for (const path of ['/responses', '/embeddings']) {
      const { status } = await ask(platform, 'POST', API + path, {
        headers: { Authorization: `Bearer ${admin}` },
        body: { model: 'simulated-echo', input: 'x' },
      });
      expect([path, status]).toEqual([path, 404]);
    }
    const stranger = { headers: { Authorization: 'Bearer svk_nobody' } };
    expect((await ask(platform, 'POST', `${API}/responses`, stranger)).status).toBe(401);
  });

  it.each([
    ['GET', '/company/'],
    ['GET', '/api-keys/?limit=1'],
    ['GET', '/api-keys/current/'],
  ])('%s %s: a trailing slash equals none', async (method, path) => {
    expect((await ask(platform, method, API + path, { key: admin })).status).toBe(200);
  });

  it('serves PUT also as PATCH, GET also as HEAD, and lists its methods', async () => {
    expect(await ask(platform, 'PATCH', `${API}/company`, { key: admin, body: { name: 'Acme 2' } })).toMatchObject({
      status: 200,
      body: { data: { name: 'Acme 2' } },
    });
    const head = await ask(platform, 'HEAD', `${API}/company`, { key: admin });
    expect([head.status, head.text, Number(head.headers.get('content-length')) > 100]).toEqual([200, '', true]);
    const options = await ask(platform, 'OPTIONS', `${API}/company`, { key: reader });
    expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, PUT, PATCH, OPTIONS']);
    expect((await ask(platform, 'OPTIONS', `${API}/company`)).status).toBe(204);
  });

  it('takes no body on an endpoint without required fields as {}', async () => {
    expect((await ask(platform, 'PUT', `${API}/company`, { key: admin })).status).toBe(200);
    const empty = await ask(platform, 'PUT', `${API}/company`, { key: admin, body: '' });
    expect(empty.status).toBe(200);
  });

  it('ignores a body where none belongs', async () => {
    const answer = await ask(platform, 'DELETE', `${API}/api-keys/999999`, { key: admin, body: '<a/>', headers: xml });
    expect(answer.status).toBe(404);
  });

  it('echoes a well-formed request id and replaces any other', async () => {
    const id = async (own: string) =>
      (await ask(platform, 'GET', `${API}/company`, { key: admin, headers: { 'X-Request-Id': own } })).headers.get(
        'x-request-id',
      );
    expect(await id('my-id_1.2')).toBe('my-id_1.2');
    for (const bad of ['a b', 'x'.repeat(129), admin]) expect(await id(bad)).toMatch(/^[0-9a-f-]{36}$/);
  });

  it.each<[string, string, string, unknown, string]>([
    ['a missing field', 'POST', '/api-keys', {}, 'name is required'],
    ['a read-only field', 'POST', '/api-keys', { name: 'a', last4: 'abcd' }, 'last4 is read-only'],
    ['an unknown field and another', 'POST', '/api-keys', { nope: 1 }, 'nope is not a known field (and 1 more)'],
    [
      'a bad sort',
      'GET',
      '/api-keys?sort=colour',
      undefined,
      'sort must be one of id, date_created, date_updated, name, last_used_at, expires_at, with a leading "-"',
    ],
    ['an unknown word in a filter', 'GET', '/audit-log?action=create,dance', undefined, 'action has a bad item at [1]'],
  ])('names the problem in the message: %s', async (_what, method, path, body, says) => {
    const answer = await ask(platform, method, `${API}${path}`, { key: admin, body });
    const { error } = answer.body as { error: { message: string } };
    expect([answer.status, error.message]).toEqual([400, expect.stringContaining(says)]);
  });

  it('reads a comma list of words in a filter as a list', async () => {
    const list = (action: string) =>
      ask(platform, 'GET', `${API}/audit-log?action=${action}&limit=100`, { key: admin });
    const actionsOf = async (action: string) => [
      ...new Set(((await list(action)).body as { data: { action: string }[] }).data.map((entry) => entry.action)),
    ];
    const made = await ask(platform, 'POST', `${API}/api-keys`, { key: admin, body: { name: 'listed' } });
    const { id } = (made.body as { data: { id: number } }).data;
    await ask(platform, 'PUT', `${API}/api-keys/${id}`, { key: admin, body: { name: 'renamed' } });
    await eventually('both entries arrive', async () => (await actionsOf('create,update')).length === 2);
    expect([await actionsOf('update'), (await actionsOf('publish,rotate')).length]).toEqual([['update'], 0]);
  });
});
