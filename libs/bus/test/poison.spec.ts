import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { BusModule, type Consumed, Consumer, EventStream } from '@signalbox/bus';
import { type Consumption, type EventEnvelope, StatementTimeout } from '@signalbox/contracts';
import { DatabaseModule, type Tx } from '@signalbox/database';
import { createLogger, type InboxMessage, loggerModule, nestLogger } from '@signalbox/platform';
import { eventually, serviceEnv, startServers, type TestServers } from '@signalbox/testing';
import type { INestApplicationContext } from '@nestjs/common';
import { Pool } from 'pg';
import { testerUrl } from './widgets.js';

let servers: TestServers;
let sql: Pool;
let app: INestApplicationContext;

interface Numbered {
  n: number;
  poison?: boolean;
  /** Its first attempt fails. */
  failsOnce?: boolean;
  isSlow?: boolean;
}
const numbers: Consumption<Numbered> = { durable: 'tester-poison', filter: 'audit.*' };
const batches: Consumption<Numbered> = { durable: 'tester-batches', filter: 'events.*.number.counted' };
const fields: Consumption<EventEnvelope<Numbered>> = {
  durable: 'tester-fields',
  filter: 'events.*.number.named',
  fields: ['n', 'poison'],
};

const MAX_ROWS = 40;

/** What the effect of a number waits for inside of its transaction. */
const waits = new Map<number, Promise<void>>();

@Injectable()
class Listener {
  readonly tries = new Map<string, number>();

  @Consumer(numbers)
  async consume(payload: Numbered, tx: Tx, message: InboxMessage): Promise<void> {
    this.tries.set(message.messageId, (this.tries.get(message.messageId) ?? 0) + 1);
    if (payload.poison) throw new Error(`cannot apply ${payload.n}`);
    if (payload.failsOnce && this.tries.get(message.messageId) === 1) throw new Error('fails once');
    await waits.get(payload.n);
    await tx.query('INSERT INTO accounts.consumed (n) VALUES ($1)', [payload.n]);
  }
}

/** Inserts all events of a transaction at once: a failure does not say which of them is bad. */
@Injectable()
class BatchListener {
  readonly sizes: number[] = [];

  @Consumer(batches, { batch: true })
  async consume(events: Consumed<Numbered>[], tx: Tx): Promise<void> {
    this.sizes.push(events.length);
    if (events.some(({ payload }) => payload.poison)) throw new Error('one of them cannot be applied');
    // As Postgres ends a statement for more rows than it can write in time.
    if (events.length > MAX_ROWS && events.some(({ payload }) => payload.isSlow)) throw new StatementTimeout();
    await tx.query('INSERT INTO accounts.counted (n) SELECT unnest($1::int[])', [
      events.map(({ payload }) => payload.n),
    ]);
  }
}

/** Reads two fields of the data of its events. */
@Injectable()
class FieldListener {
  /** By event: the first ones are applied again without the bad one. */
  readonly read = new Map<string, object>();

  @Consumer(fields)
  async consume({ event_id, resource, data }: EventEnvelope<Numbered>, tx: Tx): Promise<void> {
    await tx.query('SELECT 1');
    if (data.poison) throw new Error('cannot be applied');
    this.read.set(event_id, { resource, data });
  }
}

beforeAll(async () => {
  servers = await startServers({ migrated: true });
  sql = new Pool({ connectionString: servers.postgres.url, max: 2 });
  await sql.query(
    'CREATE TABLE accounts.consumed (id int GENERATED ALWAYS AS IDENTITY, n int); GRANT INSERT ON accounts.consumed TO svc_accounts',
  );
  await sql.query(
    'CREATE TABLE accounts.counted (id int GENERATED ALWAYS AS IDENTITY, n int); GRANT INSERT ON accounts.counted TO svc_accounts',
  );
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
      BusModule.forService({
        name: 'tester',
        url: testerUrl(servers),
        database: true,
        consumerBackoffMs: [20, 20, 20, 20],
      }),
    ],
    providers: [Listener, BatchListener, FieldListener],
  })(Root);
  app = await NestFactory.createApplicationContext(Root, { logger: nestLogger(logger), abortOnError: false });
}, 60_000);

/** What was consumed, in the order of its effects. */
const consumed = async (): Promise<number[]> =>
  (await sql.query<{ n: number }>('SELECT n FROM accounts.consumed ORDER BY id')).rows.map(({ n }) => n);

afterAll(async () => {
  await app.close();
  await sql.end();
  await servers.stop();
});

describe('poison', () => {
  it('becomes a dead letter with its cause after five attempts, while good messages are consumed', async () => {
    const { js } = app.get(EventStream);
    await app.get(EventStream).ensure('AUDIT');
    const listener = app.get(Listener);
    const total = 120;
    for (let n = 0; n < total; n++) {
      const poison = n % 4 === 0;
      // A third of the bad messages is not even JSON, a third has no company.
      const body = poison && n % 3 === 0 ? `{"n":${n}` : JSON.stringify({ n, poison });
      await js.publish(poison && n % 3 === 1 ? 'audit.nobody' : 'audit.1', body, { msgID: `m${n}` });
    }
    await eventually('good messages are consumed', async () => (await consumed()).length === total * 0.75);
    const rows = await eventually('every bad message is a dead letter', async () => {
      const found = await sql.query<{ message_id: string; cause: string; payload: string; company_id: number }>(
        `SELECT message_id, cause, payload, company_id FROM accounts.dead_letters WHERE consumer = 'tester-poison'`,
      );
      return found.rows.length === total / 4 ? found.rows : undefined;
    });
    const good = await consumed();
    expect(good).toEqual([...good].sort((a, b) => a - b));
    expect(good).toEqual([...new Set(good)]);
    for (const row of rows) {
      const n = Number(row.message_id.slice(1));
      expect(n % 4).toBe(0);
      expect(row.payload).toContain(`"n":${n}`);
      const cause = n % 3 === 0 ? /JSON/ : n % 3 === 1 ? /names no company/ : new RegExp(`cannot apply ${n}`);
      expect(row.cause).toMatch(cause);
      expect(row.company_id).toBe(n % 3 === 1 ? 0 : 1);
      if (n % 3 === 2) expect(listener.tries.get(row.message_id)).toBe(5);
    }
    const tries = [...listener.tries.values()].reduce((sum, count) => sum + count, 0);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect([...listener.tries.values()].reduce((sum, count) => sum + count, 0)).toBe(tries);
  }, 60_000);

  it('is separated from the events that share its transaction', async () => {
    const { js } = app.get(EventStream);
    const listener = app.get(Listener);
    const together = [1001, 1002, 1003].map((n) => ({ event_id: `p${n}`, n, poison: n === 1002 }));
    // The form of earlier releases, and the one in which events share fields.
    await js.publish('audit.1', JSON.stringify(together), { msgID: 'together 0' });
    const events = together.map(({ event_id, ...own }) => ({ event_id, ...own, resource: {}, data: {} }));
    await js.publish('audit.1', JSON.stringify({ shared: { resource: {}, data: {} }, events }), {
      msgID: 'together 1',
    });
    const rows = await eventually('it is a dead letter alone', async () => {
      const found = await sql.query<{ payload: string }>(
        `SELECT payload FROM accounts.dead_letters WHERE message_id LIKE 'p%'`,
      );
      return found.rows.length > 0 && (await consumed()).includes(1003) ? found.rows : undefined;
    });
    expect(rows.map(({ payload }) => JSON.parse(payload) as unknown)).toEqual([together[1]]);
    await eventually('the copy is consumed', () => (listener.tries.get('p1002') ?? 0) >= 6);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect((await consumed()).filter((n) => n > 1000).sort()).toEqual([1001, 1003]);
  });

  it('reaches a consumer of few fields with these alone, and is a dead letter with all of them', async () => {
    const { js } = app.get(EventStream);
    const listener = app.get(FieldListener);
    const subject = 'events.1.number.named';
    const event = (n: number, more = {}) => ({
      event_id: `f${n}`,
      event: 'number.named',
      company_id: 1,
      occurred_at: 1,
      resource: { type: 'number', id: n },
      data: { n, name: `number ${n}`, ...more },
    });
    const { event_id: _id, resource: _number, data: _data, ...envelope } = event(0);
    const shared = { ...envelope, resource: { type: 'number' }, data: { poison: false, place: 'here' } };
    const own = [event(2), event(3, { poison: true })].map(({ event_id, resource, data }) => ({
      event_id,
      resource: { id: resource.id },
      data,
    }));
    await js.publish(subject, JSON.stringify(event(1)), { msgID: 'f1' });
    await js.publish(subject, JSON.stringify({ shared, events: own }), { msgID: 'f2' });
    await js.publish(subject, JSON.stringify([event(4)]), { msgID: 'f4' });
    const [letter] = await eventually('the bad one is a dead letter', async () => {
      const { rows } = await sql.query<{ message_id: string; payload: string }>(
        `SELECT message_id, payload FROM accounts.dead_letters WHERE consumer = '${fields.durable}'`,
      );
      return rows.length > 0 && listener.read.size === 3 ? rows : undefined;
    });
    const read = (n: number, more = {}) => [`f${n}`, { resource: { type: 'number', id: n }, data: { n, ...more } }];
    expect([...listener.read]).toEqual([read(1), read(2, { poison: false }), read(4)]);
    expect(letter?.message_id).toBe('f3');
    expect(JSON.parse(letter?.payload ?? '')).toEqual(event(3, { poison: true, place: 'here' }));
  });

  it('holds back later events of its resource until its outcome, and no others', async () => {
    const { js } = app.get(EventStream);
    const about = (id: number) => ({ resource_type: 'thing', resource_id: id });
    await js.publish('audit.1', JSON.stringify({ ...about(1), n: 2001, poison: true }), { msgID: 'held 1' });
    await js.publish('audit.1', JSON.stringify({ ...about(1), n: 2002 }), { msgID: 'held 2' });
    await js.publish('audit.1', JSON.stringify({ ...about(2), n: 2003 }), { msgID: 'held 3' });
    await js.publish('audit.1', JSON.stringify({ ...about(1), n: 2004 }), { msgID: 'held 4' });
    const order = await eventually('all have an outcome', async () => {
      const found = (await consumed()).filter((n) => n > 2000);
      return found.length === 3 ? found : undefined;
    });
    expect(order).toEqual([2003, 2002, 2004]);
  });

  it('holds back an event that arrives while those behind the failed one are applied', async () => {
    const { js } = app.get(EventStream);
    const { tries } = app.get(Listener);
    const publish = (n: number, more: Partial<Numbered> = {}) =>
      js.publish('audit.1', JSON.stringify({ resource_type: 'thing', resource_id: 3, n, ...more }), {
        msgID: `gate ${n}`,
      });
    let open = (): void => undefined;
    waits.set(3002, new Promise((resolve) => (open = resolve)));
    await publish(3001, { failsOnce: true });
    await publish(3002);
    await eventually('the one behind it is being applied', () => tries.has('gate 3002'));
    await publish(3003);
    // Of another resource: once it is applied, the one before it was fetched as well.
    await js.publish('audit.1', JSON.stringify({ n: 3004 }), { msgID: 'gate 3004' });
    await eventually('a later message is consumed', async () => (await consumed()).includes(3004));
    open();
    await eventually('all are consumed', async () => (await consumed()).filter((n) => n > 3000).length === 4);
    expect((await consumed()).filter((n) => n > 3000)).toEqual([3001, 3004, 3002, 3003]);
  });

  it('is found by halving when the effect takes all events of a transaction at once', async () => {
    const { js } = app.get(EventStream);
    await app.get(EventStream).ensure('EVENTS');
    const { sizes } = app.get(BatchListener);
    const total = 160;
    const about = (n: number) => ({ event_id: `b${n}`, resource: { type: 'number', id: n === 100 ? 99 : n } });
    // 100 is a later event of the resource of the bad one.
    const events = Array.from({ length: total }, (_, n) => ({ ...about(n), n, poison: n === 99 }));
    await js.publish('events.1.number.counted', JSON.stringify(events), { msgID: 'batch' });
    const counted = async (): Promise<number[]> =>
      (await sql.query<{ n: number }>('SELECT n FROM accounts.counted ORDER BY id')).rows.map(({ n }) => n);
    const order = await eventually('all others are applied', async () => {
      const found = await counted();
      return found.length === total - 1 ? found : undefined;
    });
    expect(order.filter((n) => n !== 100)).toEqual(events.flatMap(({ n }) => (n === 99 || n === 100 ? [] : [n])));
    expect(order.at(-1)).toBe(100);
    const { rows } = await sql.query<{ message_id: string }>(
      `SELECT message_id FROM accounts.dead_letters WHERE consumer = 'tester-batches'`,
    );
    expect(rows).toEqual([{ message_id: 'b99' }]);
    // Two transactions for each halving, four more attempts of the bad event, and the one behind it.
    expect(sizes.length).toBeLessThanOrEqual(1 + 2 * Math.ceil(Math.log2(total)) + 4 + 1);
  });

  it('that are too many for one statement are applied in smaller transactions', async () => {
    const { js } = app.get(EventStream);
    await app.get(EventStream).ensure('EVENTS');
    const { sizes } = app.get(BatchListener);
    sizes.length = 0;
    const events = Array.from({ length: 160 }, (_, at) => {
      const n = 1000 + at;
      return { event_id: `s${n}`, resource: { type: 'number', id: n }, n, isSlow: true };
    });
    await js.publish('events.1.number.counted', JSON.stringify(events), { msgID: 'slow' });
    const counted = `SELECT count(*)::int AS n FROM accounts.counted WHERE n >= 1000`;
    await eventually('all are applied', async () => (await sql.query<{ n: number }>(counted)).rows[0]?.n === 160);
    expect(sizes).toEqual([160, 80, 40, 40, 80, 40, 40]);
  });
});
