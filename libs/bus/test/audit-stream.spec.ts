import { AUDIT_STREAM, EventStream, STREAM } from '@signalbox/bus';
import { AckPolicy, StorageType } from '@nats-io/jetstream';
import { DiscardedMessages } from '../src/events/discarded-messages.js';
import { eventually, Platform } from '@signalbox/testing';

let platform: Platform;
let stream: EventStream;
beforeAll(async () => {
  platform = await Platform.start({ services: ['accounts'] });
  stream = new EventStream(platform.connection);
}, 60_000);
afterAll(() => platform.stop());

const DURABLE = 'accounts-audit-log';
const entry = (companyId: number, id: string) => ({
  action: 'update',
  resource_type: 'thing',
  resource_id: id,
  before: null,
  after: { id },
  company_id: companyId,
  actor_key_id: null,
  request_id: '',
  date_created: Date.now(),
});

async function publishEntries(companyId: number, ids: string[]): Promise<void> {
  for (const id of ids)
    await stream.js.publish(`audit.${companyId}`, JSON.stringify(entry(companyId, id)), {
      msgID: `${companyId} ${id}`,
    });
}

const logged = async (companyId: number): Promise<string[]> => {
  const { rows } = await platform.sql.query<{ id: string }>(
    `SELECT resource_id AS id FROM accounts.audit_log WHERE company_id = $1 AND resource_type = 'thing' ORDER BY id`,
    [companyId],
  );
  return rows.map(({ id }) => id);
};

const ids = Array.from({ length: 40 }, (_, n) => `entry-${String(n).padStart(2, '0')}`);

it('keeps every audit entry while accounts is down and the events overflow their stream', async () => {
  const { companyId } = await platform.company();
  await platform.service('accounts').kill('SIGKILL');
  const { streams } = await stream.jsm();
  await streams.update(STREAM, { max_bytes: 200_000 });
  await publishEntries(companyId, ids.slice(0, 20));
  for (let n = 0; n < 40; n++) await stream.js.publish('events.1.agent.updated', JSON.stringify('x'.repeat(20_000)));
  await publishEntries(companyId, ids.slice(20));
  expect((await streams.info(STREAM)).state.messages).toBeLessThan(20);
  await platform.service('accounts').start();
  await eventually('all entries are in the log', async () => (await logged(companyId)).length === ids.length);
  expect(await logged(companyId)).toEqual(ids);
  // The service of the audit log has restored the configuration.
  expect((await streams.info(STREAM)).config.max_bytes).toBe(1_073_741_824);
}, 60_000);

it('says that it has discarded events which a consumer had not read, once', async () => {
  await platform.service('accounts').kill('SIGKILL');
  const { streams, consumers } = await stream.jsm();
  const durable = 'tester-discarded';
  await consumers.add(STREAM, {
    durable_name: durable,
    filter_subject: 'events.*.agent.updated',
    ack_policy: AckPolicy.Explicit,
  });
  const publish = (bytes: number) => stream.js.publish('events.1.agent.updated', JSON.stringify('x'.repeat(bytes)));
  const lines: unknown[] = [];
  const watch = () => new DiscardedMessages(durable, { error: (...line: unknown[]) => void lines.push(line) });
  const look = async (discarded: DiscardedMessages) =>
    discarded.look(await consumers.info(STREAM, durable), await stream.firstOf(STREAM));
  await publish(10);
  const consumer = await stream.js.consumers.get(STREAM, durable);
  while ((await consumers.info(STREAM, durable)).num_pending > 0) (await consumer.next())?.ack();
  const running = watch();
  await publish(10);
  await look(running);
  await look(running);
  expect(lines).toEqual([]);
  await streams.update(STREAM, { max_bytes: 200_000 });
  for (let n = 0; n < 40; n++) await publish(20_000);
  await look(running);
  await look(running);
  expect(lines).toHaveLength(1);
  // A process that has not seen how it came.
  const restarted = watch();
  restarted.begin(await consumers.info(STREAM, durable));
  await look(restarted);
  await look(restarted);
  expect(lines).toHaveLength(2);
  // Another consumer has read all.
  while ((await consumers.info(STREAM, durable)).num_pending > 0) (await consumer.next())?.ack();
  const current = watch();
  current.begin(await consumers.info(STREAM, durable));
  for (let n = 0; n < 40; n++) await stream.js.publish('events.1.agent.created', JSON.stringify('x'.repeat(20_000)));
  await look(current);
  await look(current);
  expect(lines).toHaveLength(2);
  await consumers.delete(STREAM, durable);
  await platform.service('accounts').start();
}, 60_000);

it('applies the entries that an older release has stored among the events', async () => {
  const { companyId } = await platform.company();
  await platform.service('accounts').kill('SIGKILL');
  const { streams, consumers } = await stream.jsm();
  await streams.delete(AUDIT_STREAM);
  await streams.delete(STREAM);
  await streams.add({ name: STREAM, subjects: ['events.>', 'audit.>'], storage: StorageType.File });
  await consumers.add(STREAM, {
    durable_name: DURABLE,
    filter_subject: 'audit.*',
    ack_policy: AckPolicy.Explicit,
    ack_wait: 1_000_000_000,
    max_ack_pending: 500,
  });
  await publishEntries(companyId, ids.slice(0, 20));
  // Some were fetched by a process that has ended.
  const fetched = await (await stream.js.consumers.get(STREAM, DURABLE)).fetch({ max_messages: 5, expires: 1000 });
  for await (const message of fetched) expect(message.seq).toBeGreaterThan(0);
  await platform.service('accounts').start();
  await eventually(
    'the entries of the older release are in the log',
    async () => (await logged(companyId)).length === 20,
    40_000,
  );
  await eventually('the consumer of the older release is deleted', async () => {
    const found = await consumers.list(STREAM).next();
    return found.every(({ name }) => name !== DURABLE);
  });
  await publishEntries(companyId, ids.slice(20));
  await eventually('new entries are in the log', async () => (await logged(companyId)).length === ids.length);
  expect((await streams.info(STREAM)).config.subjects).toEqual(['events.>', 'probe.events']);
  expect((await streams.info(AUDIT_STREAM)).config).toMatchObject({
    subjects: ['audit.>', 'probe.audit'],
    discard: 'new',
  });
}, 90_000);
