import { toApiError } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { insertKey, open, owner, servers, sql } from './fixture.js';

describe('errors of Postgres', () => {
  it.each<[string, string, unknown[], number, RegExp]>([
    ['22012 division by zero', 'SELECT 1 / $1::int', [0], 400, /out of bounds/],
    ['22P05 NUL in jsonb', 'SELECT $1::jsonb', ['"\\u0000"'], 400, /a character of a text is out/],
    ['22P02 lone surrogate in jsonb', 'SELECT $1::jsonb', ['"\\ud800"'], 400, /out of bounds/],
    ['22003 big integer', 'SELECT $1::int', ['3000000000'], 400, /a number is out of bounds/],
    ['22021 NUL in text', 'SELECT $1::text', ['a\0b'], 400, /out of bounds/],
    [
      '23514 check',
      `INSERT INTO accounts.api_keys (company_id, name, key_id, key_hash, last4, scopes) VALUES (1, 'a', 'check', '\\x00', '0', '{}')`,
      [],
      400,
      /out of bounds/,
    ],
    ['57014 statement timeout', `SELECT pg_sleep(30)`, [], 504, /too long/],
    ['42P01 unknown table', 'SELECT 1 FROM accounts.nowhere', [], 500, /internal server error/],
    ['42501 no right', 'DELETE FROM accounts.audit_log', [], 500, /internal server error/],
  ])('%s', async (_name, text, values, status, message) => {
    const error = await open.db
      .withCompany(owner, async (tx) => {
        await tx.query(`SET LOCAL statement_timeout = '500ms'`);
        return tx.query(text, values);
      })
      .then(
        () => null,
        (thrown: unknown) => toApiError(thrown),
      );
    expect(error?.status).toBe(status);
    expect(error?.message).toMatch(message);
  });

  it('a statement may take ten seconds', async () => {
    const shown = await open.db.withCompany(owner, (tx) => tx.query('SHOW statement_timeout'));
    expect(shown).toEqual([{ statement_timeout: '10s' }]);
  });

  it('23505 and 23503 are conflicts, with the message of the constraint', async () => {
    await open.db.withCompany(owner, (tx) => tx.query(...insertKey('a', 'taken')));
    const twice = open.db.withCompany(owner, (tx) => tx.query(...insertKey('b', 'taken')), {
      api_keys_key_id_key: 'that key exists',
    });
    await expect(twice).rejects.toMatchObject({ status: 409, message: 'that key exists' });
    const orphan = open.db.withCompany({ companyId: 99 }, (tx) => tx.query(...insertKey('c', 'orphan', 99)));
    await expect(orphan).rejects.toMatchObject({ status: 409 });
  });

  it('a backend that dies under a transaction is 503, and its connection is not reused', async () => {
    const dying = open.db.withCompany(owner, async (tx) => {
      const [{ pid } = { pid: 0 }] = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await sql.query('SELECT pg_terminate_backend($1)', [pid]);
      await tx.query('SELECT 1');
    });
    await expect(dying).rejects.toMatchObject({ status: 503 });
    for (let at = 0; at < 8; at++)
      expect(await open.db.withCompany(owner, (tx) => tx.query('SELECT 1 AS one'))).toEqual([{ one: 1 }]);
  });

  it('a stopped Postgres is 503 at once, and serves again after it restarts', async () => {
    await servers.postgres.stop('immediate');
    const started = Date.now();
    const view = { resource: 'x', table: 'accounts.api_keys', columns: ['id'] };
    for (const attempt of [
      () => open.db.withCompany(owner, (tx) => tx.query('SELECT 1')),
      () => open.db.readMany(view, [{ companyId: 1, id: 1 }]),
      () => open.db.asWorker('SELECT 1'),
    ])
      await expect(attempt()).rejects.toMatchObject({ status: 503, extras: { retryAfter: 1 } });
    // A database that does not respond is waited for.
    expect(Date.now() - started).toBeLessThan(20_000);
    await servers.restartPostgres('immediate');
    await eventually('Postgres serves again', () =>
      open.db
        .withCompany(owner, (tx) => tx.query('SELECT 1'))
        .then(
          () => true,
          () => false,
        ),
    );
  });
});
