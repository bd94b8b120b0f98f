import { Injectable, type INestApplicationContext, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { BusModule, type Consumed, Consumer, EventStream, type MessageFilter } from '@signalbox/bus';
import type { Consumption } from '@signalbox/contracts';
import { DatabaseModule, type Tx } from '@signalbox/database';
import { createLogger, loggerModule, nestLogger } from '@signalbox/platform';
import { eventually, serviceEnv, startServers, type TestServers, timeScale } from '@signalbox/testing';
import { Pool } from 'pg';
import { testerUrl } from './widgets.js';

let servers: TestServers;
let sql: Pool;
let app: INestApplicationContext;

const letters: Consumption<{ letter: string }> = { durable: 'tester-letters', filter: 'events.*.letter.*' };

@Injectable()
class Letters {
  /** Companies whose letters count. */
  readonly companies = new Set<number>();
  readonly read: string[] = [];
  fails = false;

  async select(companyIds: readonly number[]): Promise<MessageFilter> {
    if (this.fails) throw new Error('the companies cannot be read');
    const known = new Set(companyIds.filter((id) => this.companies.has(id)));
    return Promise.resolve((companyId, event) => known.has(companyId) && event === 'letter.sent');
  }

  @Consumer(letters, { filter: 'select' })
  async consume({ letter }: { letter: string }, tx: Tx): Promise<void> {
    await tx.query('SELECT 1');
    this.read.push(letter);
  }
}

const parcels: Consumption<{ letter: string }> = { durable: 'tester-parcels', filter: 'events.*.parcel.sent' };
const GATHER_MS = 1500 * timeScale();

@Injectable()
class Parcels {
  /** The parcels of each transaction with what was prepared for it, and the transactions at the time of preparing. */
  readonly applied: { letters: string[]; prepared: string | undefined }[] = [];
  readonly openTransactions: number[] = [];
  preparations = 0;
  failures = 0;

  async prepare(events: Consumed<{ letter: string }>[]): Promise<string> {
    this.preparations++;
    const { rows } = await sql.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM pg_stat_activity WHERE state = 'idle in transaction'`,
    );
    this.openTransactions.push(rows[0]?.count ?? -1);
    if (this.failures-- > 0) throw new Error('the preparation failed');
    return events.map(({ payload }) => payload.letter).join();
  }

  @Consumer(parcels, { batch: true, before: 'prepare', batchWindowMs: GATHER_MS })
  async consume(events: Consumed<{ letter: string }>[], tx: Tx, prepared?: string): Promise<void> {
    await tx.query('SELECT 1');
    this.applied.push({ letters: events.map(({ payload }) => payload.letter), prepared });
  }
}

beforeAll(async () => {
  servers = await startServers({ migrated: true });
  sql = new Pool({ connectionString: servers.postgres.url, max: 2 });
  const env = serviceEnv(servers, 'accounts');
  const logger = createLogger('tester', 'silent');
  class Root {}
  Module({
    imports: [
      loggerModule(logger),
      DatabaseModule.forService({
        service: 'accounts',
        url: env.DATABASE_URL ?? '',
        workerUrl: env.WORKER_DATABASE_URL ?? '',
        entities: [],
      }),
      BusModule.forService({ name: 'tester', url: testerUrl(servers), database: true }),
    ],
    providers: [Letters, Parcels],
  })(Root);
  app = await NestFactory.createApplicationContext(Root, { logger: nestLogger(logger), abortOnError: false });
}, 60_000);

afterAll(async () => {
  await app.close();
  await sql.end();
  await servers.stop();
});

const publish = (subject: string, letter: string): Promise<unknown> =>
  app.get(EventStream).js.publish(subject, JSON.stringify({ letter }), { msgID: `${subject} ${letter}` });

/** Resolves when every message so far is acknowledged; returns what was recorded of the company. */
async function recordedOf(companyId: number): Promise<number> {
  const { consumers } = await app.get(EventStream).jsm();
  await eventually('all messages are acknowledged', async () => {
    const info = await consumers.info('EVENTS', letters.durable);
    return info.num_pending + info.num_ack_pending === 0;
  });
  const { rows } = await sql.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM accounts.inbox WHERE consumer = $1 AND company_id = $2',
    [letters.durable, companyId],
  );
  return rows[0]?.count ?? 0;
}

describe('a consumer that selects', () => {
  it('reads and records nothing of a company or an event that it leaves out', async () => {
    const listener = app.get(Letters);
    await app.get(EventStream).ensure();
    listener.companies.add(1);
    await app.get(EventStream).js.publish('events.2.letter.sent', 'no JSON');
    await publish('events.2.letter.sent', 'a');
    await publish('events.1.letter.lost', 'b');
    await publish('events.1.letter.sent', 'c');
    expect(await recordedOf(2)).toBe(0);
    expect(await recordedOf(1)).toBe(1);
    expect(listener.read).toEqual(['c']);
    const { rows } = await sql.query(`SELECT 1 FROM accounts.dead_letters WHERE consumer = '${letters.durable}'`);
    expect(rows).toEqual([]);
  });

  it('reads every event from the moment at which the company counts', async () => {
    const listener = app.get(Letters);
    const sent = Array.from({ length: 500 }, (_, at) => `${at}`);
    for (const letter of sent) {
      if (letter === '250') listener.companies.add(3);
      await publish('events.3.letter.sent', letter);
    }
    const recorded = await recordedOf(3);
    expect(recorded).toBeGreaterThanOrEqual(250);
    expect(listener.read.slice(-250)).toEqual(sent.slice(-250));
  });

  it('reads all messages while it cannot decide', async () => {
    const listener = app.get(Letters);
    listener.fails = true;
    await publish('events.4.letter.sent', 'd');
    expect(await recordedOf(4)).toBe(1);
    listener.fails = false;
  });

  it('still makes a message without a company a dead letter', async () => {
    await publish('events.nobody.letter.sent', 'e');
    await eventually('it is a dead letter', async () => {
      const { rows } = await sql.query(`SELECT 1 FROM accounts.dead_letters WHERE consumer = '${letters.durable}'`);
      return rows.length === 1;
    });
  });
});

describe('a consumer that gathers and prepares', () => {
  const all = (count: number) =>
    eventually(`${count} parcels`, () => app.get(Parcels).applied.flatMap(({ letters }) => letters).length >= count);

  it('applies what arrives shortly after an application together, prepared before its transaction', async () => {
    const listener = app.get(Parcels);
    await publish('events.5.parcel.sent', 'a');
    await all(1);
    const began = performance.now();
    for (const letter of ['b', 'c', 'd']) await publish('events.5.parcel.sent', letter);
    const published = performance.now() - began;
    await all(4);
    expect(published).toBeLessThan(GATHER_MS);
    expect(listener.applied).toEqual([
      { letters: ['a'], prepared: 'a' },
      { letters: ['b', 'c', 'd'], prepared: 'b,c,d' },
    ]);
    expect(listener.openTransactions).toEqual([0, 0]);
  });

  it('prepares again when an attempt has failed', async () => {
    const listener = app.get(Parcels);
    listener.failures = 1;
    listener.preparations = 0;
    await publish('events.6.parcel.sent', 'e');
    await all(5);
    expect(listener.applied.at(-1)).toEqual({ letters: ['e'], prepared: 'e' });
    expect(listener.preparations).toBe(2);
  });
});
