import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { Database, migrateSchemas, type Tx } from '@signalbox/database';
import { serviceCredentials } from '@signalbox/servers';
import { eventually, seededRandom, startServers, TEST_MASTER_KEY, type TestServers } from '@signalbox/testing';
import { Client } from 'pg';
import { runEvent } from '../src/run-event-templates.js';
import { heldKind } from '../src/secrets/held-kind.js';
import { SecretHolderLeases } from '../src/secrets/secret-holder-leases.repository.js';
import { appliedOnce } from '../src/writes/applied-once.js';
import { Countings1700000000100 } from './counting.migration.js';
import { type Counting, Countings } from './counting.js';
import { CountingService, type Urls } from './counting-service.js';

const login = (text: string, username: string, password: string): string =>
  Object.assign(new URL(text), { username, password }).href;

let servers: TestServers;
let urls: Urls;
let app: INestApplicationContext;
let db: Database;
let countings: Countings;
const workers: ChildProcess[] = [];

beforeAll(async () => {
  servers = await startServers();
  const { role, password, workerRole, workerPassword, natsPassword } = serviceCredentials(TEST_MASTER_KEY, 'tester');
  const url = login(servers.postgres.url, role, password);
  const workerUrl = login(servers.postgres.url, workerRole, workerPassword);
  const schema = { service: 'tester', migrations: [Countings1700000000100], runtimeUrl: url, workerUrl };
  await migrateSchemas(servers.postgres.url, [schema]);
  urls = { bus: login(servers.nats.url, 'tester', natsPassword), url, workerUrl };
  app = await NestFactory.createApplicationContext(CountingService.with(urls, false), { logger: false });
  db = app.get(Database);
  countings = app.get(Countings);
}, 90_000);

afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL');
  await app.close();
  await servers.stop();
});

/** Starts a worker process; resolves once it is ready. Each callback is sent twice, like a caller that retries. */
function startWorker(at: number): Promise<void> {
  const entry = fileURLToPath(new URL('counting-service.js', import.meta.url));
  const worker = fork(entry, [], { env: { ...process.env, URLS: JSON.stringify(urls) } });
  workers[at] = worker;
  return new Promise((resolve) =>
    worker.on('message', (message: string) => {
      if (message === 'ready') return resolve();
      for (let call = 0; call < 2; call++) void callBack(message);
    }),
  );
}

const callBack = async (key: string): Promise<void> => {
  const hook = await countings.hooks.get(key);
  await countings.hooks.answer(hook, key, '{}').catch(() => undefined);
};

const inCompany = <T>(companyId: number, work: (tx: Tx) => Promise<T>): Promise<T> =>
  db.withCompany({ companyId }, work);

const SCRIPTS: Counting['script'][] = [
  ['count', 'count'],
  ['count', 'child', 'count'],
  ['hook', 'count'],
  ['count', 'child', 'hook', 'count', 'child'],
];

async function accept(companyId: number, script: Counting['script'], more = {}): Promise<string> {
  const id = randomUUID();
  await inCompany(companyId, (tx) => countings.accept(tx, id, script, more));
  return id;
}

const typesOf = async (companyId: number, id: string): Promise<string[]> => {
  const events = await countings.reads.eventsAfter(companyId, id, 0, 1000);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
  return events.map(({ type }) => type);
};

describe('runs whose workers are killed', () => {
  it('all end, and execute no step twice', async () => {
    const random = seededRandom(7);
    const accepted = await Promise.all(
      Array.from({ length: 60 }, async (_, at) => {
        const script = SCRIPTS[at % SCRIPTS.length] ?? [];
        return { companyId: 1 + (at % 2), script, id: await accept(1 + (at % 2), script) };
      }),
    );
    await Promise.all([startWorker(0), startWorker(1)]);
    for (let kills = 0; kills < 3; kills++) {
      const at = Math.floor(random() * 2);
      workers[at]?.kill('SIGKILL');
      if (kills === 1) await servers.restartNats({ forget: true });
      await startWorker(at);
    }
    for (const { companyId, script, id } of accepted) {
      await eventually(`run ${id} ends`, async () => (await countings.reads.require(companyId, id)).ended, 60_000);
      const types = await typesOf(companyId, id);
      expect(types.filter((type) => type === 'run.step')).toHaveLength(script.length);
      expect(types.slice(0, 2)).toEqual(['run.accepted', 'run.running']);
      expect(types.filter((type) => /completed|failed|cancelled/.test(type))).toEqual(['run.completed']);
      expect(types.at(-1)).toBe('run.completed');
      const children = script.filter((step) => step === 'child').length;
      expect(await countings.reads.progress(companyId, id)).toEqual(children > 0 ? { COMPLETED: children } : {});
    }
  }, 180_000);

  it('stream their events to the end to a client that subscribed before', async () => {
    const id = await accept(1, ['count', 'child', 'hook', 'count']);
    const types: string[] = [];
    for await (const { type } of countings.stream.follow(1, id, Date.now() + 60_000, new AbortController().signal))
      types.push(type);
    expect(types).toEqual(await typesOf(1, id));
    expect(types.at(-1)).toBe('run.completed');
  }, 90_000);
});

describe('a run with descendants', () => {
  let parent: string;
  let child: string;

  beforeAll(async () => {
    for (const worker of workers) worker.kill('SIGKILL');
    parent = await accept(1, ['child']);
    child = await accept(1, ['count'], { parent_run_id: parent, parent_step: 0, depth: 1 });
  });

  const cancel = (companyId: number, id: string) =>
    countings.cancels.cancel({ companyId }, id, {}, () => Promise.resolve(id));

  it('is not found by another company', async () => {
    await expect(cancel(2, parent)).rejects.toThrow('counting not found');
  });

  it('is written while another transaction inserts a row that refers to it', async () => {
    const id = await accept(1, ['count']);
    let locked = (): void => undefined;
    const cancelled = new Promise<void>((resolve) => (locked = resolve)).then(() => cancel(1, id));
    await inCompany(1, async (tx) => {
      // What the check of a foreign key does. A lock of the whole row would wait, and block what waits for its fence.
      await tx.query(`SELECT 1 FROM ${countings.kind.tables.runs} WHERE company_id = 1 AND id = $1 FOR KEY SHARE`, [
        id,
      ]);
      locked();
      await cancelled;
    });
    expect((await countings.reads.require(1, id)).ended).toBe(true);
  });

  it('is cancelled with its descendants, once', async () => {
    await cancel(1, parent);
    expect(await countings.reads.endedAmong(1, [parent, child])).toHaveLength(2);
    expect(await countings.reads.progress(1, parent)).toEqual({ CANCELLED: 1 });
    await expect(cancel(1, parent)).rejects.toThrow(`counting ${parent} is CANCELLED: it cannot cancel`);
  });

  it('shares one timeline with its descendants', async () => {
    const page = { offset: 0, limit: 100, sort: 'id' };
    const whole = JSON.parse((await countings.timeline.ofRun(1, parent, page, true)).text) as {
      data: { run_id: string }[];
    };
    expect(new Set(whole.data.map(({ run_id }) => run_id))).toEqual(new Set([parent, child]));
    const own = JSON.parse((await countings.timeline.ofRun(1, parent, page, false)).text) as {
      data: { run_id: string }[];
    };
    expect(own.data.map(({ run_id }) => run_id)).toEqual([parent, parent]);
  });
});

describe('a write that is repeated because its end is not known', () => {
  it('is applied by the attempt that commits, and by no other one', async () => {
    const id = await accept(1, ['count']);
    let attempts = 0;
    const change = appliedOnce<Counting>(() => {
      attempts++;
      return attempts === 1 ? Promise.reject(new Error('lost')) : Promise.resolve([runEvent('run.step')]);
    });
    const write = () => countings.writes.withAncestors(1, id, change);
    await expect(write()).rejects.toThrow('lost');
    await write();
    await write();
    expect(await typesOf(1, id)).toEqual(['run.accepted', 'run.step']);
  });
});

describe('runs that wait for a callback and whose process is gone', () => {
  const [BROKEN, OTHER] = [3, 4];
  const hooks = 'tester.counting_hooks';

  /** A hook of a run that has ended, so that no work is added for it. */
  async function heldHook(companyId: number): Promise<void> {
    const id = await accept(companyId, ['hook']);
    await countings.cancels.cancel({ companyId }, id, {}, () => Promise.resolve(id));
    await inCompany(companyId, (tx) =>
      tx.query(
        `INSERT INTO ${hooks} (company_id, hook_hash, run_id, step_no, work_kind, expires_at)
         VALUES ($1, $2::text, $2::text::uuid, 0, $3, 0)`,
        [companyId, id, heldKind('counting', randomUUID())],
      ),
    );
  }

  it('are released although those of another company cannot be', async () => {
    const admin = new Client(servers.postgres.url);
    await admin.connect();
    await admin.query(
      `CREATE FUNCTION tester.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'refused'; END $$;
       CREATE TRIGGER refuse BEFORE UPDATE ON ${hooks} FOR EACH ROW WHEN (OLD.company_id = ${BROKEN})
         EXECUTE FUNCTION tester.refuse()`,
    );
    await heldHook(BROKEN);
    await heldHook(OTHER);
    const warned: object[] = [];
    process.env.WORK_LEASE_SECONDS = '5';
    const leases = new SecretHolderLeases(db, [countings], { warn: (said: object) => void warned.push(said) });
    const holder = randomUUID();
    const released = await eventually('the hooks of the other company are released', async () => {
      await leases.renew([holder], null);
      return leases.releaseDead(new AbortController().signal);
    });
    expect(released).toBe(1);
    expect(warned).toContainEqual(expect.objectContaining({ company_id: BROKEN }));
    const { rows } = await admin.query(`SELECT company_id, released_at IS NOT NULL AS released FROM ${hooks}
      WHERE company_id IN (${BROKEN}, ${OTHER}) ORDER BY company_id`);
    expect(rows).toEqual([
      { company_id: BROKEN, released: false },
      { company_id: OTHER, released: true },
    ]);
    await admin.end();
  }, 90_000);
});
