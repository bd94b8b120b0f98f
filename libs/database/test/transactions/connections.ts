import { toApiError } from '@signalbox/contracts';
import type { Tx } from '@signalbox/database';
import { setTimeout as pause } from 'node:timers/promises';
import { CONNECTIONS, open, owner, sql } from './fixture.js';

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
