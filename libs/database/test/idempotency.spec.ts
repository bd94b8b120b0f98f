import type { Caller, IdempotencyClaim } from '@signalbox/contracts';
import type { IdempotencyState } from '@signalbox/platform';
import { openDatabase, type OpenDatabase, startServers, type TestServers } from '@signalbox/testing';
import { randomUUID } from 'node:crypto';
import { Pool } from 'pg';

let servers: TestServers;
let open: OpenDatabase;
let sql: Pool;

beforeAll(async () => {
  servers = await startServers({ migrated: true });
  open = await openDatabase(servers, 'accounts');
  sql = new Pool({ connectionString: servers.postgres.url, max: 2 });
}, 60_000);

afterAll(async () => {
  await open.close();
  await sql.end();
  await servers.stop();
});

const SOON = 30_000;
const DAY = 86_400_000;

/** One key, with the steps a call takes against its record. */
class Scene {
  readonly claim: IdempotencyClaim = { key: randomUUID(), route: 'POST /things', bodyHash: 'one' };

  begin(inMs = SOON, change: Partial<IdempotencyClaim> = {}, company = 1): Promise<IdempotencyState> {
    return open.idempotency.begin(company, { ...this.claim, ...change }, inMs);
  }

  /** The transaction of the handler: its result is the mark that the call had its effect. */
  async effect(result: unknown, change: Partial<IdempotencyClaim> = {}): Promise<void> {
    const caller: Caller = {
      companyId: 1,
      keyId: null,
      scopes: [],
      requestId: 'r',
      deadline: Date.now() + SOON,
      idempotency: { ...this.claim, ...change },
    };
    await open.db.withCompany(caller, () => Promise.resolve(result));
  }

  finish(status: number, body: string | null): Promise<void> {
    return open.idempotency.finish(1, this.claim, status, body);
  }

  async age(ms: number): Promise<void> {
    await sql.query('UPDATE accounts.idempotency SET date_created = date_created - $2 WHERE key = $1', [
      this.claim.key,
      ms,
    ]);
  }
}

type Steps = (scene: Scene) => Promise<unknown>;

describe('an idempotency record', () => {
  it.each<[string, Steps, IdempotencyState]>([
    ['is first when the key was not used before', async () => undefined, { state: 'first' }],
    ['is running while the first call lasts', (s) => s.begin(), { state: 'running' }],
    ['is running while its effect is made', (s) => s.begin().then(() => s.effect({ id: 1 })), { state: 'running' }],
    ['is first again when the caller of a call without effect is gone', (s) => s.begin(-2000), { state: 'first' }],
    [
      'is resumed when the caller of a call with effect is gone',
      (s) => s.begin(-2000).then(() => s.effect({ id: 7 })),
      { state: 'resume', earlier: { id: 7 } },
    ],
    [
      'is replayed after a success',
      async (s) => {
        await s.begin();
        await s.effect({ id: 7 });
        await s.finish(200, '{"body":"x"}');
      },
      { state: 'replay', status: 200, body: '{"body":"x"}' },
    ],
    [
      'is replayed after a success without a transaction',
      (s) => s.begin().then(() => s.finish(200, 'b')),
      { state: 'replay', status: 200, body: 'b' },
    ],
    [
      'is free again after a refusal without effect',
      (s) => s.begin().then(() => s.finish(409, 'no')),
      { state: 'first' },
    ],
    [
      'is replayed after an error that came once the effect was there',
      async (s) => {
        await s.begin();
        await s.effect({ id: 7 });
        await s.finish(502, 'bad');
      },
      { state: 'replay', status: 502, body: 'bad' },
    ],
    [
      'is resumed at once after a time-out with the effect there',
      async (s) => {
        await s.begin();
        await s.effect({ id: 7 });
        await s.finish(504, null);
      },
      { state: 'resume', earlier: { id: 7 } },
    ],
    ['is free after a time-out without effect', (s) => s.begin().then(() => s.finish(504, null)), { state: 'first' }],
    [
      'is forgotten after a day',
      async (s) => {
        await s.begin();
        await s.finish(200, 'b');
        await s.age(DAY + 1000);
      },
      { state: 'first' },
    ],
    [
      'is remembered for a day',
      async (s) => {
        await s.begin();
        await s.finish(200, 'b');
        await s.age(DAY - 5000);
      },
      { state: 'replay', status: 200, body: 'b' },
    ],
  ])('%s', async (_name, steps, state) => {
    const scene = new Scene();
    await steps(scene);
    expect(await scene.begin()).toEqual(state);
  });

  it('refuses another body in every state', async () => {
    const scene = new Scene();
    await scene.begin();
    expect(await scene.begin(SOON, { bodyHash: 'two' })).toEqual({ state: 'mismatch' });
    await scene.finish(200, 'b');
    expect(await scene.begin(SOON, { bodyHash: 'two' })).toEqual({ state: 'mismatch' });
  });

  it('is one per company and route', async () => {
    const scene = new Scene();
    await scene.begin();
    expect(await scene.begin(SOON, {}, 2)).toEqual({ state: 'first' });
    expect(await scene.begin(SOON, { route: 'POST /others' })).toEqual({ state: 'first' });
  });

  it('lets one of many concurrent calls be the first, and one take over a stale one', async () => {
    const scene = new Scene();
    const states = await Promise.all(Array.from({ length: 16 }, () => scene.begin()));
    expect(states.filter(({ state }) => state === 'first')).toHaveLength(1);
    expect(states.filter(({ state }) => state === 'running')).toHaveLength(15);
    await sql.query('UPDATE accounts.idempotency SET locked_until = 0 WHERE key = $1', [scene.claim.key]);
    const later = await Promise.all(Array.from({ length: 16 }, () => scene.begin()));
    expect(later.filter(({ state }) => state === 'first')).toHaveLength(1);
  });

  it('refuses the effect of a try that has lost the key to a later one', async () => {
    const scene = new Scene();
    const [frozen, later] = [randomUUID(), randomUUID()];
    await scene.begin(-1, { holder: frozen });
    expect(await scene.begin(SOON, { holder: later })).toEqual({ state: 'first' });
    await expect(scene.effect('stale', { holder: frozen })).rejects.toThrow('in progress');
    await scene.effect('good', { holder: later });
  });

  it('is prolonged by the try that holds it, never by one that has lost it', async () => {
    const scene = new Scene();
    const [frozen, later] = [randomUUID(), randomUUID()];
    await scene.begin(-1, { holder: frozen });
    await scene.begin(-1, { holder: later });
    await open.idempotency.prolong(1, { ...scene.claim, holder: frozen }, SOON);
    expect(await scene.begin(-1, { holder: later })).toEqual({ state: 'first' });
    await open.idempotency.prolong(1, { ...scene.claim, holder: later }, SOON);
    expect(await scene.begin()).toEqual({ state: 'running' });
  });

  it('is held by the clock of the database, whatever the clock of the process says', async () => {
    const scene = new Scene();
    const { now } = Date;
    Date.now = () => now() - DAY;
    try {
      await scene.begin();
    } finally {
      Date.now = now;
    }
    expect(await scene.begin()).toEqual({ state: 'running' });
  });

  it('is gone with the effect when the transaction fails', async () => {
    const scene = new Scene();
    await scene.begin();
    const failing = open.db.withCompany(
      { companyId: 1, keyId: null, scopes: [], requestId: 'r', deadline: 0, idempotency: scene.claim },
      async (tx) => {
        await tx.query('SELECT 1 / 0');
      },
    );
    await expect(failing).rejects.toMatchObject({ status: 400 });
    await scene.finish(400, 'bad');
    expect(await scene.begin()).toEqual({ state: 'first' });
  });

  it('resumes for one of many, the rest wait', async () => {
    const scene = new Scene();
    await scene.begin(-2000);
    await scene.effect({ id: 7 });
    const states = await Promise.all(Array.from({ length: 8 }, () => scene.begin()));
    expect(states.map(({ state }) => state).sort()).toEqual(['resume', ...Array<string>(7).fill('running')].sort());
  });

  it('stands for one transaction: a second one is refused before it commits', async () => {
    const scene = new Scene();
    await scene.begin();
    const claim = scene.claim;
    const owner = { companyId: 1, keyId: null, scopes: [], requestId: 'r', deadline: 0, idempotency: claim };
    await open.db.withCompany(owner, () => Promise.resolve('first'));
    await expect(open.db.withCompany(owner, () => Promise.resolve('second'))).rejects.toThrow('a second transaction');
    const { rows } = await sql.query('SELECT effect FROM accounts.idempotency WHERE key = $1', [claim.key]);
    expect(rows).toEqual([{ effect: '"first"' }]);
  });
});
