import { type INestApplicationContext, Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { BusModule, Consumer, EventStream } from '@signalbox/bus';
import { ApiError, type Consumption } from '@signalbox/contracts';
import { DatabaseModule, type Tx } from '@signalbox/database';
import { createLogger, type InboxMessage, loggerModule, nestLogger } from '@signalbox/platform';
import { eventually, serviceEnv, startServers, type TestServers } from '@signalbox/testing';
import { Pool } from 'pg';
import { testerUrl } from './widgets.js';

const FAILING = 1;
const HEALTHY = 2;

interface Numbered {
  n: number;
  resource_type: string;
  resource_id: number;
}
const poisonous: Consumption<Numbered> = { durable: 'tester-poisonous', filter: 'events.*.number.poisonous' };
const unavailable: Consumption<Numbered> = { durable: 'tester-unavailable', filter: 'events.*.number.unavailable' };

/** All events of the failing company fail: for ever, or until the service that its effect needs is available. */
@Injectable()
class Listener {
  readonly tries = new Map<number, number>();
  isAvailable = false;

  @Consumer(poisonous)
  async consumePoisonous({ n }: Numbered, tx: Tx, { companyId }: InboxMessage): Promise<void> {
    if (companyId === FAILING) {
      this.tries.set(n, (this.tries.get(n) ?? 0) + 1);
      throw new Error('cannot be applied');
    }
    await insert(tx, 'poisonous', companyId, n);
  }

  @Consumer(unavailable)
  async consumeUnavailable({ n }: Numbered, tx: Tx, { companyId }: InboxMessage): Promise<void> {
    if (companyId === FAILING && !this.isAvailable) throw new ApiError('unavailable', 'not available');
    await insert(tx, 'unavailable', companyId, n);
  }
}

const insert = (tx: Tx, topic: string, companyId: number, n: number) =>
  tx.query('INSERT INTO accounts.applied (topic, company, n) VALUES ($1, $2, $3)', [topic, companyId, n]);

let servers: TestServers;
let sql: Pool;
let app: INestApplicationContext;

beforeAll(async () => {
  servers = await startServers({ migrated: true });
  sql = new Pool({ connectionString: servers.postgres.url, max: 2 });
  await sql.query(
    `CREATE TABLE accounts.applied (id int GENERATED ALWAYS AS IDENTITY, topic text, company int, n int);
     GRANT INSERT ON accounts.applied TO svc_accounts`,
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
        consumerBackoffMs: [2000, 2000, 2000, 2000],
      }),
    ],
    providers: [Listener],
  })(Root);
  app = await NestFactory.createApplicationContext(Root, { logger: nestLogger(logger), abortOnError: false });
  await app.get(EventStream).ensure();
}, 60_000);

afterAll(async () => {
  await app.close();
  await sql.end();
  await servers.stop();
});

/** Publishes an event for each number, about so many resources in turn. */
async function publish(topic: string, companyId: number, numbers: number[], resources: number): Promise<void> {
  const { js } = app.get(EventStream);
  for (let at = 0; at < numbers.length; at += 200)
    await Promise.all(
      numbers.slice(at, at + 200).map((n) => {
        const event: Numbered = { n, resource_type: 'number', resource_id: n % resources };
        const id = `${topic}-${companyId}-${n}`;
        return js.publish(`events.${companyId}.number.${topic}`, JSON.stringify(event), { msgID: id });
      }),
    );
}

const applied = async (topic: string, companyId: number): Promise<number[]> =>
  (
    await sql.query<{ n: number }>('SELECT n FROM accounts.applied WHERE topic = $1 AND company = $2 ORDER BY id', [
      topic,
      companyId,
    ])
  ).rows.map(({ n }) => n);

const deadLetters = async (): Promise<number> =>
  (await sql.query<{ n: number }>('SELECT count(*)::int AS n FROM accounts.dead_letters')).rows[0]?.n ?? 0;

const range = (count: number): number[] => Array.from({ length: count }, (_, n) => n);

describe('a company of which every event fails', () => {
  it('holds up no other company, and loses no event nor the order of a resource', async () => {
    const TOTAL = 2000;
    const RESOURCES = 200;
    const listener = app.get(Listener);
    await publish('unavailable', FAILING, range(TOTAL), RESOURCES);
    await publish('unavailable', HEALTHY, range(TOTAL), RESOURCES);
    await eventually(
      'the events of the other company are applied',
      async () => (await applied('unavailable', HEALTHY)).length === TOTAL,
      60_000,
    );
    expect(await applied('unavailable', FAILING)).toEqual([]);
    listener.isAvailable = true;
    const order = await eventually(
      'those that failed are applied',
      async () => {
        const found = await applied('unavailable', FAILING);
        return found.length >= TOTAL ? found : undefined;
      },
      60_000,
    );
    expect([...order].sort((a, b) => a - b)).toEqual(range(TOTAL));
    const byResource = new Map<number, number[]>();
    for (const n of order) byResource.set(n % RESOURCES, [...(byResource.get(n % RESOURCES) ?? []), n]);
    for (const numbers of byResource.values()) expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect(await deadLetters()).toBe(0);
  }, 120_000);

  it('has five attempts for each event, wherever it waits between them', async () => {
    const TOTAL = 500;
    const { tries } = app.get(Listener);
    await publish('poisonous', FAILING, range(TOTAL), TOTAL);
    await publish('poisonous', HEALTHY, range(TOTAL), TOTAL);
    await eventually(
      'the events of the other company are applied',
      async () => (await applied('poisonous', HEALTHY)).length === TOTAL,
      60_000,
    );
    await eventually('each is a dead letter', async () => (await deadLetters()) === TOTAL, 90_000);
    expect([...tries.keys()].sort((a, b) => a - b)).toEqual(range(TOTAL));
    expect(new Set(tries.values())).toEqual(new Set([5]));
  }, 180_000);
});
