import { ApiError, toApiError } from '@signalbox/contracts';
import { type Tx } from '@signalbox/database';
import { FenceLost, job, type JobKind } from '@signalbox/platform';
import {
  eventually,
  migrateOn,
  openDatabase,
  type OpenDatabase,
  startServers,
  type TestServers,
} from '@signalbox/testing';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'pg';

const CONNECTIONS = 4;

let servers: TestServers;
let open: OpenDatabase;
let sql: Pool;

beforeAll(async () => {
  servers = await startServers();
  await migrateOn(servers, 'accounts');
  open = await openDatabase(servers, 'accounts', CONNECTIONS);
  sql = new Pool({ connectionString: servers.postgres.url, max: 2 });
  sql.on('error', () => undefined);
  await sql.query(`INSERT INTO accounts.companies (name) VALUES ('one'), ('two')`);
}, 60_000);

afterAll(async () => {
  await open.close();
  await sql.end();
  await servers.stop();
});

const owner = { companyId: 1 };
const insertKey = (name: string, keyId: string, company = 1): [string, unknown[]] => [
  `INSERT INTO accounts.api_keys (company_id, name, key_id, key_hash, last4, scopes) VALUES ($1, $2, $3, '\\x00', '0000', '{read}') RETURNING id`,
  [company, name, keyId],
];
const counts = async (): Promise<Record<string, number>> => {
  const { rows } = await sql.query<Record<string, number>>(
    `SELECT (SELECT count(*)::int FROM accounts.api_keys) AS keys, (SELECT count(*)::int FROM accounts.outbox) AS outbox,
      (SELECT count(*)::int FROM accounts.work) AS work`,
  );
  return rows[0] ?? {};
};

/** Ends every connection of the service that is idle in a transaction, as Postgres does after ten seconds. */
const endResting = async (): Promise<void> => {
  const { rowCount } = await sql.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE usename LIKE 'svc_accounts%' AND state = 'idle in transaction'`,
  );
  expect(rowCount).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 100));
};

it('uses a connection again after a rest, for the first statement of a new one may take a second', async () => {
  const backendOf = () =>
    open.db.withCompany(
      owner,
      async (tx) => (await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid'))[0]?.pid,
    );
  const first = await backendOf();
  // Unused connections are closed after ten seconds.
  await pause(11_000);
  expect(await backendOf()).toBe(first);
});

describe('a Postgres that is suspended', () => {
  it('fails transactions with 503 before the deadline of a plain call, and their connections are not used again', async () => {
    const suspended: number[] = [];
    const suspend = async (tx: Tx): Promise<void> => {
      const [backend] = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      suspended.push(backend!.pid);
      process.kill(backend!.pid, 'SIGSTOP');
    };
    const statement = (tx: Tx) => tx.query('SELECT 1');
    try {
      const lost = await Promise.allSettled([
        open.db.withCompany(owner, async (tx) => {
          await suspend(tx);
          return statement(tx);
        }),
        // The commit is the statement without a reply.
        open.db.withCompany(owner, suspend),
      ]);
      expect(lost.map((each) => each.status === 'rejected' && toApiError(each.reason))).toEqual(
        lost.map(() => expect.objectContaining({ kind: 'unavailable', message: 'the database does not respond' })),
      );
      // As many as the pool has connections.
      const after = await Promise.all(Array.from({ length: 4 }, () => open.db.withCompany(owner, statement)));
      expect(after).toHaveLength(4);
    } finally {
      suspended.forEach((pid) => process.kill(pid, 'SIGCONT'));
    }
  }, 60_000);
});

describe('a pool whose connections are all in use', () => {
  it('is waited for: a busy database is not down', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const busy = Array.from({ length: CONNECTIONS }, () => open.db.withCompany(owner, () => held));
    const waiting = open.db.withCompany(owner, (tx) => tx.query('SELECT 1 AS one'));
    const reading = open.db.select(1, 'SELECT 1 AS one FROM s');
    await pause(4500);
    release();
    expect(await Promise.all([waiting, reading])).toEqual([[{ one: 1 }], [{ one: 1 }]]);
    await Promise.all(busy);
  });
});

describe('a connection that is lost in the middle of a transaction', () => {
  it('fails the transaction and nothing else', async () => {
    const lost = open.db.withCompany(owner, async (tx) => {
      await endResting();
      await tx.query('SELECT 1');
    });
    expect(toApiError(await lost.catch((error: unknown) => error)).status).toBe(503);
    await open.db.withCompany(owner, (tx) => tx.query('SELECT 1'));
  });

  it('fails the relay while it waits for the bus, and nothing else', async () => {
    await open.db.withCompany(owner, (tx) => {
      tx.audit({ action: 'x', resource_type: 'tag', resource_id: '1', before: null, after: null });
      return Promise.resolve();
    });
    const batch = { stream: 'AUDIT' as const, rows: 10, bytes: 1_000_000 };
    const failure: unknown = await open.outbox
      .relay(batch, () => endResting().then(() => [{ state: 'sent' }]))
      .catch((error: unknown) => error);
    expect(toApiError(failure).status).toBe(503);
    const relayed = await open.outbox.relay(batch, (messages) =>
      Promise.resolve(messages.map(() => ({ state: 'sent' as const }))),
    );
    expect(relayed).toMatchObject({ done: 1, failure: null });
  });
});

describe('withCompany', () => {
  it.each([[0], [-1], [NaN], [1.5], [undefined], [null], ['1'], ["1', true); DROP SCHEMA accounts; --"]])(
    'refuses %p as a company before it opens anything',
    async (companyId) => {
      let entered = false;
      const work = open.db.withCompany({ companyId: companyId as number }, () => Promise.resolve((entered = true)));
      await expect(work).rejects.toThrow('a transaction needs a company');
      expect(entered).toBe(false);
    },
  );

  it('survives the end of a session that is idle in a transaction', async () => {
    const cut = open.db.withCompany(owner, async (tx) => {
      const [row] = await tx.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
      await sql.query('SELECT pg_terminate_backend($1)', [row?.pid]);
      // The connection ends while no statement runs on it.
      await new Promise((resolve) => setTimeout(resolve, 100));
      await tx.query('SELECT 1');
    });
    await expect(cut).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(open.db.withCompany(owner, (tx) => tx.query('SELECT 1 AS one'))).resolves.toEqual([{ one: 1 }]);
  });

  it('commits rows, events, audit entries and work together', async () => {
    const before = await counts();
    await open.db.withCompany(owner, async (tx) => {
      await tx.query(...insertKey('together', 'together'));
      tx.emit({ event: 'api_key.created', resource: { type: 'api_key', id: 1 }, data: {} });
      tx.audit({ action: 'create', resource_type: 'api_key', resource_id: '1' });
      tx.addWork('kind', 'together');
    });
    const after = await counts();
    expect(after).toEqual({ keys: before.keys! + 1, outbox: before.outbox! + 2, work: before.work! + 1 });
  });

  it('rolls back completely, wherever the failure occurs', async () => {
    const before = await counts();
    const failing = open.db.withCompany(owner, async (tx) => {
      await tx.query(...insertKey('gone', 'gone'));
      tx.emit({ event: 'api_key.created', resource: { type: 'api_key', id: 1 }, data: {} });
      tx.addWork('kind', 'gone');
      throw new ApiError('conflict', 'no');
    });
    await expect(failing).rejects.toThrow('no');
    const late = open.db.withCompany(owner, async (tx) => {
      await tx.query(...insertKey('gone', 'gone'));
      // Detected only when the collected messages are written.
      tx.emit({ event: 'a\0b', resource: { type: 'api_key', id: 1 }, data: {} });
    });
    await expect(late).rejects.toMatchObject({ status: 400 });
    expect(await counts()).toEqual(before);
  });

  it('retries a deadlocked transaction, so that both succeed', async () => {
    const ids: number[] = [];
    for (const name of ['first', 'second'])
      ids.push(
        await open.db.withCompany(
          owner,
          async (tx) => (await tx.query<{ id: number }>(...insertKey(name, name)))[0]!.id,
        ),
      );
    let tries = 0;
    let holding = 0;
    let meet: () => void = () => undefined;
    const met = new Promise<void>((resolve) => (meet = resolve));
    const touch = (order: number[]) =>
      open.db.withCompany(owner, async (tx) => {
        tries++;
        // Retries take one order: on a loaded machine both sides can be chosen as the victim of a deadlock.
        const [first, second] = tries > 2 ? ids : order;
        await tx.query(
          'UPDATE accounts.api_keys SET date_updated = date_updated + 1 WHERE company_id = 1 AND id = $1',
          [first],
        );
        // Each holds its first row, so that their second ones are the rows of each other.
        if (++holding >= 2) meet();
        await met;
        await tx.query(
          'UPDATE accounts.api_keys SET date_updated = date_updated + 1 WHERE company_id = 1 AND id = $1',
          [second],
        );
      });
    const { rows: before } = await sql.query<{ sum: string }>('SELECT sum(date_updated) FROM accounts.api_keys');
    await Promise.all([touch(ids), touch([...ids].reverse())]);
    const { rows: after } = await sql.query<{ sum: string }>('SELECT sum(date_updated) FROM accounts.api_keys');
    expect(tries).toBeGreaterThanOrEqual(3);
    expect(Number(after[0]?.sum) - Number(before[0]?.sum)).toBe(4);
  });

  it('fails after three attempts', async () => {
    let tries = 0;
    const failing = open.db.withCompany(owner, async (tx) => {
      tries++;
      await tx.query(`DO $$ BEGIN RAISE EXCEPTION 'again' USING ERRCODE = '40001'; END $$`);
    });
    await expect(failing).rejects.toThrow('again');
    expect(tries).toBe(3);
  });
});

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

describe('work', () => {
  const LEASE = 60_000;
  const claim = async (kind: string) => {
    const claimed = {
      kind,
      owner: randomUUID(),
      limit: 10,
      leaseMs: LEASE,
      perCompany: 10,
      busy: new Map(),
      takeOver: true,
    };
    return (await open.work.claim(claimed)).jobs;
  };
  const rowOf = async (ref: string) =>
    (await sql.query('SELECT * FROM accounts.work WHERE ref = $1', [ref])).rows[0] as Record<string, unknown>;
  /** Expires the lease of a job by the clock of the database. */
  const expire = (kind: string) =>
    sql.query(`UPDATE accounts.work SET due_at = now() - interval '1 second' WHERE kind = $1`, [kind]);

  it('assigns a job to one worker, and after the lease expires to another with a higher fence', async () => {
    await open.db.withCompany(owner, (tx) => Promise.resolve(tx.addWork('moved', 'moved')));
    const claims = await Promise.all(Array.from({ length: 8 }, () => claim('moved')));
    const [old] = claims.flat();
    expect(claims.flat()).toHaveLength(1);
    await expire('moved');
    const later = await Promise.all(Array.from({ length: 8 }, () => claim('moved')));
    expect(later.flat()).toHaveLength(1);
    const taken = later.flat()[0]!;
    expect(taken).toMatchObject({ ref: 'moved', fence: old!.fence + 1, attempt: 2 });
    await expect(open.db.withCompany(owner, (tx) => tx.requireFence(old!))).rejects.toThrow(FenceLost);
    await open.db.withCompany(owner, (tx) => tx.requireFence(taken));
    await expect(open.db.withCompany({ companyId: 2 }, (tx) => tx.requireFence(taken))).rejects.toThrow(FenceLost);
    // The same check for several jobs at once.
    const held = (companyId: number, jobs: { id: number; fence: number }[]) =>
      open.db.withCompany({ companyId }, (tx) => tx.heldFences(jobs));
    expect(await held(owner.companyId, [taken, { id: taken.id + 1, fence: taken.fence }])).toEqual(new Set([taken.id]));
    expect(await held(owner.companyId, [old!])).toEqual(new Set());
    expect(await held(owner.companyId + 1, [taken])).toEqual(new Set());
    // Recorded progress counts the attempts anew.
    await open.db.withCompany(owner, (tx) => tx.progressed(taken));
    expect([taken.attempt, (await rowOf('moved'))['attempt']]).toEqual([1, 1]);
    // The same check together with the lock of a row.
    const lock = (job: typeof taken, ref: string) =>
      open.db.withCompany(owner, (tx) =>
        tx.lockFenced<{ id: number }>(job, 'SELECT id FROM accounts.work WHERE ref = $1 FOR UPDATE', [ref]),
      );
    await expect(lock(old!, 'moved')).rejects.toThrow(FenceLost);
    expect(await lock(taken, 'moved')).toEqual({ id: taken.id });
    expect(await lock(taken, 'missing')).toBeNull();
    // The old holder can neither complete nor postpone it nor prolong its lease.
    await open.work.complete([old!]);
    await open.work.postpone([{ job: old!, delayMs: 0 }], false);
    expect(await open.work.heartbeat([old!], 1)).toEqual(new Set());
    expect(await claim('moved')).toEqual([]);
    expect(await rowOf('moved')).toMatchObject({ done_at: null, fence: taken.fence });
    await open.work.complete([taken]);
    expect((await rowOf('moved')).done_at).not.toBeNull();
    await expect(open.db.withCompany(owner, (tx) => tx.requireFence(taken))).rejects.toThrow(FenceLost);
  });

  it('keeps a job claimed while its lease is prolonged', async () => {
    await open.db.withCompany(owner, (tx) => Promise.resolve(tx.addWork('held', 'held')));
    const [job] = await claim('held');
    for (let at = 0; at < 5; at++) {
      await expire('held');
      expect(await open.work.heartbeat([job!], LEASE)).toEqual(new Set([job!.id]));
      expect(await claim('held')).toEqual([]);
    }
    await expire('held');
    expect(await claim('held')).toMatchObject([{ fence: job!.fence + 1 }]);
  });

  it('counts an attempt unless it is exempt, and is due again when it is added again', async () => {
    await open.db.withCompany(owner, (tx) => Promise.resolve(tx.addWork('again', 'again')));
    const [first] = await claim('again');
    await open.work.postpone([{ job: first!, delayMs: 0 }], true);
    const [second] = await claim('again');
    expect(second?.attempt).toBe(1);
    await open.work.postpone([{ job: second!, delayMs: 0 }], false);
    const [third] = await claim('again');
    expect(third?.attempt).toBe(2);
    await open.db.withCompany(owner, (tx) => Promise.resolve(tx.addWork('again', 'again')));
    // A running job keeps its fence and is due again after it ends.
    await open.db.withCompany(owner, (tx) => tx.requireFence(third!));
    expect(await claim('again')).toEqual([]);
    expect(await open.work.complete([third!])).toBe(true);
    const [fourth] = await claim('again');
    expect(fourth).toMatchObject({ attempt: 1, fence: third!.fence + 1 });
    expect(await open.work.complete([fourth!])).toBe(false);
    expect(await claim('again')).toEqual([]);
  });

  it('is not claimed after its lease expired by a worker that excludes expired leases', async () => {
    await open.db.withCompany(owner, (tx) => Promise.resolve(tx.addWork('judged', 'silent')));
    const request = { kind: 'judged', owner: randomUUID(), limit: 10, leaseMs: 1, perCompany: 10, busy: new Map() };
    const [job] = (await open.work.claim({ ...request, takeOver: false })).jobs;
    await sql.query(`UPDATE accounts.work SET due_at = now() - interval '1 hour' WHERE kind = 'judged'`);
    expect((await open.work.claim({ ...request, takeOver: false })).jobs).toEqual([]);
    // Its own worker may still complete it.
    expect(await open.work.heartbeat([job!], 60_000)).toEqual(new Set([job!.id]));
    await sql.query(`UPDATE accounts.work SET due_at = now() - interval '1 hour' WHERE kind = 'judged'`);
    expect((await open.work.claim({ ...request, takeOver: true })).jobs).toMatchObject([{ ref: 'silent', attempt: 2 }]);
  });

  it('is released once when the same end is stored repeatedly', async () => {
    await open.db.withCompany(owner, (tx) => Promise.resolve(tx.addWork('repeated', 'repeated')));
    const [job] = await claim('repeated');
    for (let time = 0; time < 3; time++) await open.work.postpone([{ job: job!, delayMs: 0 }], true);
    expect(await rowOf('repeated')).toMatchObject({ attempt: 0 });
    const [fourth] = await claim('repeated');
    await open.work.complete([fourth!]);
  });

  it('of a kind that is due soonest does not move when it is added again while it waits', async () => {
    const dueIn = async (jobs: JobKind<object>, ...delays: number[]): Promise<number> => {
      for (const delay of delays) await open.db.withCompany(owner, (tx) => Promise.resolve(tx.addJob(jobs, {}, delay)));
      const { rows } = await sql.query<{ minutes: number }>(
        `SELECT round(extract(epoch FROM due_at - now()) / 60)::int AS minutes FROM accounts.work WHERE kind = $1`,
        [jobs.name],
      );
      return rows[0]?.minutes ?? 0;
    };
    const HOUR_MS = 3_600_000;
    expect(await dueIn(job('soonest', {}, { soonest: true }), HOUR_MS, 2 * HOUR_MS)).toBe(60);
    expect(await dueIn(job('soonest', {}, { soonest: true }), HOUR_MS / 2)).toBe(30);
    expect(await dueIn(job('latest', {}), HOUR_MS, 2 * HOUR_MS)).toBe(120);
    await sql.query(`UPDATE accounts.work SET done_at = now() WHERE kind = 'soonest'`);
    expect(await dueIn(job('soonest', {}, { soonest: true }), 2 * HOUR_MS)).toBe(120);
  });

  it('is not due before its delay', async () => {
    await open.db.withCompany(owner, (tx) => Promise.resolve(tx.addWork('later', 'later', 300)));
    expect(await claim('later')).toEqual([]);
    await eventually('it is due', async () => (await claim('later'))[0]);
  });
});
