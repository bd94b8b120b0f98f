import { createHmac, hkdfSync } from 'node:crypto';
import { apiKeys, auditLog, companies, identities, operator } from '@signalbox/contracts';
import { eventually, Platform, TEST_MASTER_KEY } from '@signalbox/testing';

let platform: Platform;
beforeAll(async () => {
  platform = await Platform.shared(['accounts', 'traffic']);
}, 60_000);
afterAll(() => platform.stop());

const { endpoints: keys } = apiKeys;

describe('companies and keys', () => {
  it('creates a company whose first key has all scopes', async () => {
    const { companyId, key } = await platform.company('Acme');
    const identity = await platform.bus.call(identities.endpoints.resolveKey, { key }, platform.caller(companyId));
    expect(identity).toMatchObject({ company_id: companyId, scopes: ['read', 'write', 'invoke', 'admin'] });
    const company = await platform.bus.call(companies.endpoints.getCompany, {}, platform.caller(companyId));
    expect(company).toMatchObject({ id: companyId, name: 'Acme', settings: { default_model: 'simulated-echo' } });
  });

  it('merges settings per key and keeps the settings that an update omits', async () => {
    const { companyId } = await platform.company();
    const caller = platform.caller(companyId);
    await platform.bus.call(companies.endpoints.updateCompany, { settings: { retention_days: { tasks: 7 } } }, caller);
    const after = await platform.bus.call(
      companies.endpoints.updateCompany,
      { settings: { help_model: 'simulated-echo' } },
      caller,
    );
    expect(after.settings).toMatchObject({
      help_model: 'simulated-echo',
      retention_days: { tasks: 7, requests: null },
    });
  });

  it('accepts existing models in settings and names the settings whose models do not exist', async () => {
    const { companyId } = await platform.company();
    const settings = { default_model: 'none', judge_model: 'simulated-echo', help_model: null };
    const update = platform.bus.call(companies.endpoints.updateCompany, { settings }, platform.caller(companyId));
    await expect(update).rejects.toMatchObject({
      status: 404,
      extras: { details: [{ field: 'settings.default_model' }] },
    });
  });

  it('accepts valid egress entries and names the invalid ones', async () => {
    const { companyId } = await platform.company();
    const caller = platform.caller(companyId);
    const set = (allow: string[]) =>
      platform.bus.call(operator.endpoints.setEgressAllow, { company_id: companyId, allow }, caller);
    const good = ['models.corp:8080', '127.0.0.1:81', '[::1]:81', '10.0.0.0/8', 'fd00::/8', '192.0.2.7'];
    expect((await set(good)).egress_allow).toEqual(good);
    const bad = ['localhost', 'a:0', 'a:70000', 'http://a:80', 'user@a:80', '10.0.0.0/33', '10.1/8', 'a b:80', ':80'];
    await expect(set(['10.0.0.0/8', ...bad])).rejects.toMatchObject({
      status: 400,
      extras: { details: bad.map((_entry, at) => ({ field: `allow[${at + 1}]` })) },
    });
    const profile = identities.endpoints.getCompanyProfile;
    expect((await platform.bus.call(profile, { company_id: companyId }, caller)).egress_allow).toEqual(good);
  });

  it('stores no key text, and shows it once', async () => {
    const { companyId } = await platform.company();
    const made = await platform.bus.call(
      keys.createApiKey,
      { name: 'ci', scopes: ['read'] },
      platform.caller(companyId),
    );
    const got = await platform.bus.call(keys.getApiKey, { api_key_id: made.id }, platform.caller(companyId));
    expect(got).toEqual({ ...made, key: undefined });
    const { rows } = await platform.sql.query(
      'SELECT to_jsonb(t)::text AS row FROM accounts.api_keys t WHERE id = $1',
      [made.id],
    );
    expect(rows[0].row).not.toContain(made.key?.slice(13, 45));
  });

  it('accepts a key with the hash of 0.1.0, and gives it the present one when it is used', async () => {
    const { companyId, key } = await platform.company();
    const pepper = Buffer.from(hkdfSync('sha256', TEST_MASTER_KEY, 'signalbox', 'accounts api keys 2', 32));
    const present = createHmac('sha256', pepper).update(key).digest();
    const former = createHmac('sha256', `${TEST_MASTER_KEY}:api-keys:1`).update(key).digest();
    const store = (hash: Buffer, hmac: Buffer | null) =>
      platform.sql.query('UPDATE accounts.api_keys SET key_hash = $2, key_hmac = $3 WHERE company_id = $1', [
        companyId,
        hash,
        hmac,
      ]);
    const stored = async (): Promise<unknown> =>
      (await platform.sql.query('SELECT key_hash, key_hmac FROM accounts.api_keys WHERE company_id = $1', [companyId]))
        .rows;
    const resolve = () => platform.bus.call(identities.endpoints.resolveKey, { key }, platform.caller(companyId));
    const other = createHmac('sha256', 'other').update(key).digest();

    // A process of 0.1.0, which runs next to this one during an update, accepts new keys.
    expect(await stored()).toEqual([{ key_hash: former, key_hmac: present }]);
    await store(other, null);
    await expect(resolve()).rejects.toThrow('key not found');
    await store(former, null);
    expect(await resolve()).toMatchObject({ company_id: companyId });
    expect(await stored()).toEqual([{ key_hash: former, key_hmac: present }]);
    await store(other, present);
    expect(await resolve()).toMatchObject({ company_id: companyId });
    await store(former, other);
    await expect(resolve()).rejects.toThrow('key not found');
  });

  it('revokes a key, once, and never the last admin key', async () => {
    const { companyId, key } = await platform.company();
    const caller = platform.caller(companyId);
    const page = await platform.bus.call(keys.listApiKeys, { offset: 0, limit: 25, sort: '-id' }, caller);
    const admin = page.data[0]?.id ?? 0;
    await expect(platform.bus.call(keys.revokeApiKey, { api_key_id: admin }, caller)).rejects.toThrow(
      'no live admin key',
    );
    const other = await platform.bus.call(keys.createApiKey, { name: 'second', scopes: ['admin'] }, caller);
    await platform.bus.call(keys.revokeApiKey, { api_key_id: admin }, caller);
    await expect(platform.bus.call(keys.revokeApiKey, { api_key_id: admin }, caller)).rejects.toThrow(
      'already revoked',
    );
    await expect(platform.bus.call(identities.endpoints.resolveKey, { key }, caller)).rejects.toThrow('key not found');
    await expect(platform.bus.call(keys.deleteApiKey, { api_key_id: other.id }, caller)).rejects.toThrow(
      'no live admin key',
    );
  });

  it('lets the last admin key end later, not sooner', async () => {
    const { companyId } = await platform.company();
    const caller = () => platform.caller(companyId);
    const page = await platform.bus.call(keys.listApiKeys, { offset: 0, limit: 25, sort: '-id' }, caller());
    const ends = Date.now() + 86_400_000;
    const made = { name: 'second', scopes: ['admin' as const], expires_at: ends };
    const { id } = await platform.bus.call(keys.createApiKey, made, caller());
    await platform.bus.call(keys.revokeApiKey, { api_key_id: page.data[0]?.id ?? 0 }, caller());
    const endAt = (expires_at: number) =>
      platform.bus.call(keys.updateApiKey, { api_key_id: id, expires_at }, caller());
    expect(await endAt(ends + 1000)).toMatchObject({ expires_at: ends + 1000 });
    await expect(endAt(ends)).rejects.toThrow('no live admin key');
  });

  it('does not count on an admin key that was rotated', async () => {
    const { companyId } = await platform.company();
    const caller = () => platform.caller(companyId);
    const page = await platform.bus.call(keys.listApiKeys, { offset: 0, limit: 25, sort: '-id' }, caller());
    const rotated = page.data[0]?.id ?? 0;
    const { id: api_key_id } = await platform.bus.call(
      keys.rotateApiKey,
      { api_key_id: rotated, grace_seconds: 600 },
      caller(),
    );
    for (const end of [keys.revokeApiKey, keys.deleteApiKey])
      await expect(platform.bus.call(end, { api_key_id }, caller())).rejects.toThrow('no live admin key');
    await platform.bus.call(keys.revokeApiKey, { api_key_id: rotated }, caller());
  });

  it('refuses one of two concurrent revocations of the last admin keys', async () => {
    const { companyId } = await platform.company();
    const caller = platform.caller(companyId);
    const second = await platform.bus.call(keys.createApiKey, { name: 'second', scopes: ['admin'] }, caller);
    const results = await Promise.allSettled(
      [second.id - 1, second.id].map((id) => platform.bus.call(keys.revokeApiKey, { api_key_id: id }, caller)),
    );
    expect(results.map((result) => result.status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('keeps at most a thousand live keys; others do not count, and a key is rotated all the same', async () => {
    const { companyId } = await platform.company();
    const caller = platform.caller(companyId);
    const make = () => platform.bus.call(keys.createApiKey, { name: 'more', scopes: ['read'] }, caller);
    const { id } = await make();
    // With the first key of the company one too few.
    await platform.sql.query(
      `INSERT INTO accounts.api_keys (company_id, name, key_id, key_hash, last4, scopes, expires_at, revoked_at)
       SELECT $1, 'filled', substr(md5('filled ' || n), 1, 8), '', 'last', '{read}',
         CASE WHEN n BETWEEN 998 AND 1100 THEN 1 END, CASE WHEN n > 1100 THEN 1 END FROM generate_series(1, 1200) n`,
      [companyId],
    );
    await make();
    await expect(make()).rejects.toMatchObject({ status: 409, message: 'there are at most 1000 live API keys' });
    await platform.bus.call(keys.rotateApiKey, { api_key_id: id, grace_seconds: 0 }, caller);
  });

  it('keeps at most a thousand rotated keys in their grace period', async () => {
    const { companyId } = await platform.company();
    const caller = platform.caller(companyId);
    const { id } = await platform.bus.call(keys.createApiKey, { name: 'more', scopes: ['read'] }, caller);
    await platform.sql.query(
      `INSERT INTO accounts.api_keys (company_id, name, key_id, key_hash, last4, scopes, expires_at, rotated_at)
       SELECT $1, 'rotated', substr(md5('rotated ' || n), 1, 8), '', 'last', '{read}', $2::bigint + 600000, $2
       FROM generate_series(1, 1000) n`,
      [companyId, Date.now()],
    );
    const rotate = (grace_seconds: number) =>
      platform.bus.call(keys.rotateApiKey, { api_key_id: id, grace_seconds }, caller);
    await expect(rotate(60)).rejects.toMatchObject({ status: 409, message: expect.stringContaining('grace period') });
    await rotate(0);
  });

  it('rotates a key: both work until the grace period is over', async () => {
    const { companyId, key } = await platform.company();
    const caller = platform.caller(companyId);
    const page = await platform.bus.call(keys.listApiKeys, { offset: 0, limit: 25, sort: '-id' }, caller);
    const fresh = await platform.bus.call(
      keys.rotateApiKey,
      { api_key_id: page.data[0]?.id ?? 0, grace_seconds: 1 },
      caller,
    );
    for (const text of [key, fresh.key ?? ''])
      await platform.bus.call(identities.endpoints.resolveKey, { key: text }, caller);
    await eventually('the old key expires', () =>
      platform.bus.call(identities.endpoints.resolveKey, { key }, platform.caller(companyId)).then(
        () => false,
        () => true,
      ),
    );
  });

  it('rotates a key once; its replacement ends when the first key would have ended', async () => {
    const { companyId } = await platform.company();
    const caller = () => platform.caller(companyId);
    const expires_at = Date.now() + 86_400_000;
    const made = await platform.bus.call(keys.createApiKey, { name: 'ci', scopes: ['read'], expires_at }, caller());
    const rotate = (api_key_id: number) =>
      platform.bus.call(keys.rotateApiKey, { api_key_id, grace_seconds: 60 }, caller());
    const fresh = await rotate(made.id);
    expect(fresh).toMatchObject({ name: 'ci', scopes: ['read'], expires_at });
    await expect(rotate(made.id)).rejects.toMatchObject({ status: 409 });
    const old = await platform.bus.call(keys.getApiKey, { api_key_id: made.id }, caller());
    expect(old.expires_at).toBeLessThan(expires_at);
    expect(await rotate(fresh.id)).toMatchObject({ expires_at });
  });

  it('replies to an idempotent repeat with the first reply, without the key text', async () => {
    const { companyId } = await platform.company();
    const idempotency = { key: 'k1', route: 'POST /api-keys', bodyHash: 'h' };
    const caller = () => platform.caller(companyId, { idempotency });
    const first = await platform.bus.call(keys.createApiKey, { name: 'once', scopes: ['read'] }, caller());
    const second = await platform.bus.call(keys.createApiKey, { name: 'once', scopes: ['read'] }, caller());
    expect(second).toEqual({ ...first, key: null });
    const other = platform.caller(companyId, { idempotency: { ...idempotency, bodyHash: 'other' } });
    await expect(platform.bus.call(keys.createApiKey, { name: 'x', scopes: ['read'] }, other)).rejects.toThrow(
      'another body',
    );
  });

  it('writes every change into the audit log, with the values before and after', async () => {
    const { companyId } = await platform.company();
    const caller = platform.caller(companyId, { keyId: 7, requestId: 'r-1' });
    const made = await platform.bus.call(keys.createApiKey, { name: 'a', scopes: ['read'] }, caller);
    await platform.bus.call(keys.updateApiKey, { api_key_id: made.id, name: 'b' }, caller);
    const query = { offset: 0, limit: 25, sort: '-id', resource_id: String(made.id) };
    const log = await eventually('both entries arrive', async () => {
      const page = await platform.bus.call(auditLog.endpoints.listAuditEntries, query, platform.caller(companyId));
      return page.data.length === 2 ? page.data : undefined;
    });
    expect(log[0]).toMatchObject({
      action: 'update',
      actor_key_id: 7,
      request_id: 'r-1',
      before: { name: 'a' },
      after: { name: 'b' },
    });
    expect(log[1]).toMatchObject({ action: 'create', before: null, after: { name: 'a', key: '[secret]' } });
  });

  it('audits which private addresses the operator opens, with those before', async () => {
    const { companyId } = await platform.company();
    for (const allow of [['10.0.0.0/8'], ['10.0.0.0/8', 'models.corp:8080']])
      await platform.bus.call(
        operator.endpoints.setEgressAllow,
        { company_id: companyId, allow },
        platform.caller(companyId),
      );
    const query = {
      offset: 0,
      limit: 25,
      sort: 'id',
      resource_type: ['company' as const],
      action: ['update' as const],
    };
    const log = await eventually('both entries arrive', async () => {
      const page = await platform.bus.call(auditLog.endpoints.listAuditEntries, query, platform.caller(companyId));
      return page.data.length === 2 ? page.data : null;
    });
    expect(log.map(({ actor_key_id, before, after }) => [actor_key_id, before, after])).toEqual([
      [null, { egress_allow: [] }, { egress_allow: ['10.0.0.0/8'] }],
      [null, { egress_allow: ['10.0.0.0/8'] }, { egress_allow: ['10.0.0.0/8', 'models.corp:8080'] }],
    ]);
  });

  it('begins the audit log of a company with its creation', async () => {
    const { companyId } = await platform.company('Noted');
    const query = { offset: 0, limit: 25, sort: 'id', resource_type: ['company' as const] };
    const [first] = await eventually('the entry', async () => {
      const page = await platform.bus.call(auditLog.endpoints.listAuditEntries, query, platform.caller(companyId));
      return page.data.length > 0 ? page.data : null;
    });
    expect(first).toMatchObject({ action: 'create', resource_id: String(companyId), after: { name: 'Noted' } });
  });

  it('deletes entries of the audit log that are older than three years, and no role can delete young ones', async () => {
    const { companyId } = await platform.company();
    const add = (message: string, days: number, count: number) =>
      platform.sql.query(
        `INSERT INTO accounts.audit_log (company_id, message_id, action, resource_type, resource_id, request_id, date_created)
         SELECT $1, $2 || n, 'update', 'seeded', n, '', $3::bigint - $4::int * 86400000::bigint FROM generate_series(1, $5::int) n`,
        [companyId, message, Date.now(), days, count],
      );
    await add('old', 1100, 2500);
    await add('younger', 1000, 10);
    const left = async (): Promise<number> => {
      const text = `SELECT count(*)::int AS n FROM accounts.audit_log WHERE company_id = $1 AND resource_type = 'seeded'`;
      return (await platform.sql.query<{ n: number }>(text, [companyId])).rows[0]?.n ?? 0;
    };
    await platform.service('accounts').kill('SIGTERM');
    await platform.service('accounts').start();
    await eventually('the old entries are gone', async () => (await left()) === 10);
    await add('young', 29, 5);
    const client = await platform.sql.connect();
    try {
      await client.query('SET ROLE svc_accounts_worker');
      const gone = await client.query('DELETE FROM accounts.audit_log WHERE company_id = $1', [companyId]);
      expect(gone.rowCount).toBe(10);
      await expect(client.query('SELECT before FROM accounts.audit_log')).rejects.toMatchObject({ code: '42501' });
    } finally {
      await client.query('RESET ROLE');
      client.release();
    }
    expect(await left()).toBe(5);
  });

  it('filters the audit log by lists of actions and types, and refuses unknown words', async () => {
    const { companyId } = await platform.company();
    const made = await platform.bus.call(
      keys.createApiKey,
      { name: 'a', scopes: ['read'] },
      platform.caller(companyId),
    );
    await platform.bus.call(keys.updateApiKey, { api_key_id: made.id, name: 'b' }, platform.caller(companyId));
    await platform.bus.call(keys.revokeApiKey, { api_key_id: made.id }, platform.caller(companyId));
    const list = async (filters: object) => {
      const query = { offset: 0, limit: 25, sort: 'id', resource_id: String(made.id), ...filters };
      const page = await platform.bus.call(auditLog.endpoints.listAuditEntries, query, platform.caller(companyId));
      return page.data.map(({ action }) => action);
    };
    await eventually('all entries arrive', async () => (await list({})).length === 3);
    expect(await list({ action: ['create', 'revoke'] })).toEqual(['create', 'revoke']);
    expect(await list({ action: ['update'], resource_type: ['company', 'api_key'] })).toEqual(['update']);
    expect(await list({ resource_type: ['company'] })).toEqual([]);
    for (const wrong of [{ action: ['created'] }, { resource_type: ['key'] }])
      await expect(list(wrong)).rejects.toMatchObject({ status: 400 });
  });
});
