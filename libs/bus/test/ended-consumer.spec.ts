import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { AckPolicy, type JsMsg } from '@nats-io/jetstream';
import { type BusConnection, EventStream } from '@signalbox/bus';
import { eventually, serviceEnv, startServers, type TestServers } from '@signalbox/testing';
import { Pool } from 'pg';
import { manyNumbers, type Numbered, numbers, type ProcessSettings, slowNumbers } from './numbers-process.js';
import { connectTo, testerUrl } from './widgets.js';

const LEASE = { WORK_LEASE_SECONDS: '5' };
/** As often as in processes that ended while they had these events, together with others. */
const DELIVERED = 5;

let servers: TestServers;
let sql: Pool;
let connection: BusConnection;
let stream: EventStream;

beforeAll(async () => {
  servers = await startServers({ migrated: true });
  sql = new Pool({ connectionString: servers.postgres.url, max: 2 });
  await sql.query(
    `CREATE TABLE accounts.numbers (id int GENERATED ALWAYS AS IDENTITY, n int);
     GRANT INSERT ON accounts.numbers TO svc_accounts`,
  );
  connection = await connectTo(servers);
  stream = new EventStream(connection);
  await stream.ensure();
}, 60_000);
afterAll(async () => {
  await connection.close();
  await sql.end();
  await servers.stop();
});

async function publish(name: 'written' | 'painted' | 'counted', companyId: number, events: Numbered[]): Promise<void> {
  for (const event of events)
    await stream.js.publish(`events.${companyId}.number.${name}`, JSON.stringify(event), { msgID: `n${event.n}` });
}

/** Takes all events of a consumer so many times, and gives them back. */
async function deliver({ durable, filter }: typeof numbers, count: number, times: number): Promise<void> {
  const { consumers } = await stream.jsm();
  await consumers.add('EVENTS', { durable_name: durable, filter_subject: filter, ack_policy: AckPolicy.Explicit });
  const consumer = await stream.js.consumers.get('EVENTS', durable);
  for (let time = 0; time < times; time++) {
    const taken: JsMsg[] = [];
    while (taken.length < count)
      for await (const message of await consumer.fetch({ max_messages: count - taken.length, expires: 1000 }))
        taken.push(message);
    for (const message of taken) message.nak();
  }
  await connection.nats.flush();
}

/** A process of the consumers, and the next one whenever one has ended. */
class Processes {
  count = 0;
  private stopped = false;
  private current: ChildProcess | undefined;

  constructor(private readonly settings: ProcessSettings) {}

  async run(): Promise<void> {
    while (!this.stopped) {
      this.count++;
      this.current = fork(fileURLToPath(new URL('numbers-process.js', import.meta.url)), {
        env: { ...process.env, ...LEASE },
      });
      this.current.send(this.settings);
      await once(this.current, 'exit');
    }
  }

  stop(): void {
    this.stopped = true;
    this.current?.kill('SIGKILL');
  }
}

function processSettings(): ProcessSettings {
  const env = serviceEnv(servers, 'accounts');
  return {
    busUrl: testerUrl(servers),
    databaseUrl: env.DATABASE_URL ?? '',
    workerUrl: env.WORKER_DATABASE_URL ?? '',
  };
}

const written = async (): Promise<number[]> =>
  (await sql.query<{ n: number }>('SELECT n FROM accounts.numbers ORDER BY n, id')).rows.map(({ n }) => n);

describe('an event whose effect ends the process', () => {
  it('becomes a dead letter after three attempts alone, and none that was delivered as often does', async () => {
    const about = (id: number) => ({ resource_type: 'number', resource_id: id });
    await publish('written', 1, [
      { n: 1, ...about(1) },
      { n: 2, ...about(2), kills: true },
      { n: 3, ...about(2) },
      { n: 4, ...about(4) },
    ]);
    await publish('written', 2, [{ n: 5 }, { n: 6 }]);
    await publish('painted', 2, [{ n: 7, seconds: 2 }, { n: 8 }]);
    await deliver(numbers, 6, DELIVERED);
    await deliver(slowNumbers, 2, DELIVERED);
    const processes = new Processes(processSettings());
    const running = processes.run();
    try {
      await eventually('all have an outcome', async () => (await written()).length === 7, 120_000);
      expect(await written()).toEqual([1, 3, 4, 5, 6, 7, 8]);
      const { rows } = await sql.query('SELECT company_id, message_id, payload, cause FROM accounts.dead_letters');
      expect(rows).toEqual([
        {
          company_id: 1,
          message_id: 'n2',
          payload: JSON.stringify({ n: 2, ...about(2), kills: true }),
          cause: '3 processes ended while they applied this event alone: they were killed, or out of memory',
        },
      ]);
      expect(processes.count).toBe(4);
      const { rows: attempts } = await sql.query(`SELECT consumer FROM accounts.inbox WHERE consumer LIKE 'alone:%'`);
      expect(attempts).toHaveLength(3);
    } finally {
      processes.stop();
      await running;
    }
  }, 180_000);
});

describe('many events that were delivered often', () => {
  it('do not hold up another company until all of them are applied', async () => {
    const many = Array.from({ length: 80 }, (_, at) => ({ n: 100 + at, seconds: 0.25 }));
    await publish('counted', 1, many);
    await deliver(manyNumbers, many.length, DELIVERED);
    const processes = new Processes(processSettings());
    const running = processes.run();
    const all = async () => (await written()).filter((n) => n >= 100);
    try {
      await eventually('the first is applied', async () => (await all()).length > 0, 60_000);
      await publish('counted', 2, [{ n: 999 }]);
      await eventually('that of the other company is applied', async () => (await all()).includes(999), 60_000);
      expect((await all()).length).toBeLessThan(60);
      await eventually('all are applied', async () => (await all()).length === many.length + 1, 120_000);
    } finally {
      processes.stop();
      await running;
    }
  }, 240_000);
});
