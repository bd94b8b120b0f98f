import { ApiError } from '@signalbox/contracts';
import { counts, insertKey, open, owner, sql } from './fixture.js';

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
