import type { JsonText } from '@signalbox/contracts';
import { LookupBatcher, readManySql, type View } from '@signalbox/database';
import {
  migrateOn,
  openDatabase,
  type OpenDatabase,
  startServers,
  tenancyFaults,
  type TestServers,
} from '@signalbox/testing';
import fc from 'fast-check';
import { Pool } from 'pg';

const COMPANIES = [1, 2, 3, 4];
const KEYS_EACH = 10;
const view: View = {
  resource: 'api key',
  table: 'accounts.api_keys',
  columns: ['id', 'name', 'company_id'],
  search: ['t.name'],
  sort: { name: 't.name' },
};

let servers: TestServers;
let open: OpenDatabase;
let sql: Pool;
const owners = new Map<number, number>();

beforeAll(async () => {
  servers = await startServers();
  await migrateOn(servers, 'accounts');
  open = await openDatabase(servers, 'accounts');
  sql = new Pool({ connectionString: servers.postgres.url, max: 2 });
  await sql.query(`INSERT INTO accounts.companies (name) SELECT 'company ' || n FROM generate_series(1, $1) n`, [
    COMPANIES.length,
  ]);
  const { rows } = await sql.query<{ id: number; company_id: number }>(
    `INSERT INTO accounts.api_keys (company_id, name, key_id, key_hash, last4, scopes)
     SELECT c, 'key ' || c || '/' || n, c || ':' || n, '\\x00', '0000', '{read}'
     FROM generate_series(1, $1) c, generate_series(1, $2) n RETURNING id, company_id`,
    [COMPANIES.length, KEYS_EACH],
  );
  for (const { id, company_id } of rows) owners.set(id, company_id);
}, 60_000);

afterAll(async () => {
  await open.close();
  await sql.end();
  await servers.stop();
});

const runtime = (): Pool => open.db.pool;

/** Runs a statement without a company filter under the runtime role. */
async function asRuntime<Row extends object>(company: number | null, text: string): Promise<Row[]> {
  const client = await runtime().connect();
  try {
    await client.query('BEGIN');
    if (company !== null) await client.query(`SELECT set_config('app.company', $1, true)`, [String(company)]);
    return (await client.query<Row>(text)).rows;
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

const bodyOf = (text: JsonText<unknown> | null): unknown => (text === null ? null : JSON.parse(text.text));

describe('row-level security alone', () => {
  it('is forced on every table, for roles that own nothing', async () => {
    expect(await tenancyFaults(sql, ['accounts'])).toEqual([]);
  });

  it.each([
    ['accounts.api_keys', KEYS_EACH],
    ['accounts.companies', 1],
  ])('shows the runtime role only the rows of its company: %s', async (table, own) => {
    for (const company of COMPANIES) {
      const rows = await asRuntime<{ company_id: number }>(company, `SELECT company_id FROM ${table}`);
      expect(rows.map((row) => row.company_id)).toEqual(Array(own).fill(company));
    }
    expect(await asRuntime(null, `SELECT company_id FROM ${table}`)).toEqual([]);
    expect(await asRuntime(99, `SELECT company_id FROM ${table}`)).toEqual([]);
  });

  it('refuses statements that change or take over a row of another company', async () => {
    expect(await asRuntime(1, `UPDATE accounts.api_keys SET name = 'x' WHERE company_id = 2 RETURNING id`)).toEqual([]);
    expect(await asRuntime(1, `DELETE FROM accounts.api_keys WHERE company_id = 2 RETURNING id`)).toEqual([]);
    await expect(asRuntime(1, `UPDATE accounts.api_keys SET company_id = 2`)).rejects.toThrow(/row-level security/);
    await expect(
      asRuntime(
        1,
        `INSERT INTO accounts.audit_log (company_id, message_id, action, resource_type, resource_id, request_id, date_created)
        VALUES (2, 'm', 'a', 'b', 'c', 'd', 1)`,
      ),
    ).rejects.toThrow(/row-level security/);
    await expect(asRuntime(1, 'TRUNCATE accounts.api_keys')).rejects.toThrow(/permission denied/);
  });

  it('holds when the company filter of a read is forgotten', async () => {
    const blind = readManySql(view).replace('t.company_id = s.company::int', 's.company IS NOT NULL');
    expect(blind).not.toBe(readManySql(view));
    const keys = [...owners].flatMap(([id, owner]) => COMPANIES.map((company) => ({ id, owner, company })));
    const { rows } = await runtime().query<{ body: string | null }>(blind, [
      keys.map(({ company }) => company),
      keys.map(({ id }) => id),
    ]);
    expect(rows.map(({ body }) => body !== null)).toEqual(keys.map(({ company, owner }) => company === owner));
  });

  it('denies the worker role access to tables that are not queues', async () => {
    await expect(open.db.asWorker('SELECT before FROM accounts.audit_log')).rejects.toThrow(/permission denied/);
    await expect(open.db.asWorker('SELECT 1 FROM accounts.migrations')).rejects.toThrow(/permission denied/);
  });
});

describe('reads', () => {
  const anyId = fc.oneof(
    { weight: 9, arbitrary: fc.integer({ min: 1, max: COMPANIES.length * KEYS_EACH + 3 }) },
    { weight: 1, arbitrary: fc.constantFrom(0, -1, 2_147_483_647) },
  );
  const anyKeys = fc.array(fc.record({ companyId: fc.integer({ min: 1, max: COMPANIES.length + 1 }), id: anyId }), {
    minLength: 1,
    maxLength: 64,
  });

  it('looks rows of mixed companies up by another key in one statement of a turn', async () => {
    const statements: (readonly unknown[])[] = [];
    const counted = {
      lookUp: <T>(text: string, columns: readonly (readonly unknown[])[]) => {
        statements.push(columns);
        return open.db.lookUp<T>(text, columns);
      },
    };
    const byOwner = new LookupBatcher(counted, view, [
      { column: 'id', type: 'int' },
      { column: 'company_id', type: 'int' },
    ]);
    const keys = [...owners].flatMap(([id, owner]) => COMPANIES.map((company) => ({ id, owner, company })));
    const rows = await Promise.all(keys.map(({ id, owner, company }) => byOwner.find(company, id, owner)));
    expect(rows.map((row) => row !== null)).toEqual(keys.map(({ company, owner }) => company === owner));
    expect(statements).toHaveLength(Math.ceil(keys.length / 64));
    expect(await byOwner.find(1, 0, 1)).toBeNull();
  });

  it('reads mixed companies in one statement, in order, and never returns a row of another company', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyKeys, { minLength: 1, maxLength: 12 }), async (batches) => {
        const answers = await Promise.all(batches.map((keys) => open.db.readMany(view, keys)));
        answers.forEach((bodies, at) => {
          const keys = batches[at] ?? [];
          expect(bodies.map(bodyOf)).toEqual(
            keys.map(({ companyId, id }) =>
              owners.get(id) === companyId ? { id, name: expect.any(String) as string, company_id: companyId } : null,
            ),
          );
        });
      }),
      { numRuns: 60 },
    );
    // A pooled connection keeps no company setting for its next user.
    const leftovers = await Promise.all(
      Array.from({ length: 10 }, () =>
        runtime().query<{ company: string; visible: number }>(
          `SELECT current_setting('app.company', true) AS company, (SELECT count(*)::int FROM accounts.api_keys) AS visible`,
        ),
      ),
    );
    for (const { rows } of leftovers) expect([rows[0]?.company ?? '', rows[0]?.visible]).toEqual(['', 0]);
  }, 60_000);

  it('lists with an exact total, for every page, filter and search', async () => {
    const sorts = fc.constantFrom('id', '-id', 'name', '-name', 'date_created', '-date_updated');
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...COMPANIES),
        fc.integer({ min: 0, max: 15 }),
        fc.integer({ min: 1, max: 12 }),
        sorts,
        fc.option(fc.constantFrom('key', '/1', '%', '_', '\\', 'KEY 1', ''), { nil: undefined }),
        async (company, offset, limit, sort, search) => {
          const page = bodyOf(await open.db.list(view, company, { offset, limit, sort, search })) as {
            data: { company_id: number; name: string }[];
            pagination: object;
          };
          const names = Array.from({ length: KEYS_EACH }, (_, at) => `key ${company}/${at + 1}`);
          const total = names.filter((name) => name.includes(search?.toLowerCase() ?? '')).length;
          expect(page.pagination).toEqual({ total, offset, limit });
          expect(page.data).toHaveLength(Math.max(0, Math.min(limit, total - offset)));
          expect(page.data.every((row) => row.company_id === company)).toBe(true);
        },
      ),
      { numRuns: 80 },
    );
    await expect(open.db.list(view, 1, { offset: 0, limit: 1, sort: 'key_hash' })).rejects.toMatchObject({
      status: 400,
    });
    await expect(open.db.list(view, 1, { offset: 0, limit: 1, sort: 'id; DROP TABLE x' })).rejects.toMatchObject({
      status: 400,
    });
  });

  it('returns every row exactly once over all pages, in a stable order', async () => {
    const seen: number[] = [];
    for (let offset = 0; offset < KEYS_EACH; offset += 3) {
      const page = bodyOf(await open.db.list(view, 1, { offset, limit: 3, sort: '-date_created' })) as {
        data: { id: number }[];
      };
      seen.push(...page.data.map(({ id }) => id));
    }
    expect(seen).toEqual([...new Set(seen)]);
    expect(seen).toHaveLength(KEYS_EACH);
  });

  it('selects for one company only', async () => {
    const text = `SELECT r.* FROM s, LATERAL (SELECT t.company_id FROM accounts.api_keys t WHERE t.company_id = s.company OFFSET 0) r`;
    expect(await open.db.select(3, text)).toEqual(Array(KEYS_EACH).fill({ company_id: 3 }));
    const blind = `SELECT r.* FROM s, LATERAL (SELECT t.company_id FROM accounts.api_keys t WHERE s.company > 0 OFFSET 0) r`;
    expect(await open.db.select(3, blind)).toEqual(Array(KEYS_EACH).fill({ company_id: 3 }));
  });
});
