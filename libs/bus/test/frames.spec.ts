import { BusClient, type BusConnection, observedCalls } from '@signalbox/bus';
import { startServers, type TestServers } from '@signalbox/testing';
import { headers, type Msg } from '@nats-io/transport-node';
import { frameCalls, frameReplies, readCalls } from '../src/calls/frames/frames.js';
import { callerOf, connectTo, type WidgetService, widgets, startWidgets } from './widgets.js';

const { endpoints } = widgets;
/** The same contract under a name that only the test serves. */
const rename = { ...endpoints.renameWidget, subject: 'rpc.played.renameWidget', service: 'played' };
let servers: TestServers;
let service: WidgetService;
let connection: BusConnection;
let client: BusClient;

beforeAll(async () => {
  servers = await startServers();
  service = await startWidgets(servers);
  connection = await connectTo(servers);
  client = new BusClient(connection);
}, 60_000);
afterAll(async () => {
  await service.close();
  await connection.close();
  await servers.stop();
});

const callOf = (id: number, company = 1, name = `name ${id}`) =>
  client.call(endpoints.renameWidget, { widget_id: id, name }, callerOf(company));
const played = (id: number) => client.call(rename, { widget_id: id, name: `name ${id}` }, callerOf(1));

/** Runs work while a subscription calls back; returns the messages that it received. */
async function during(subject: string, work: () => Promise<unknown>, receive = (_message: Msg): void => undefined) {
  const received: Msg[] = [];
  const subscription = connection.nats.subscribe(subject, {
    callback: (_error, message) => {
      received.push(message);
      receive(message);
    },
  });
  await connection.nats.flush();
  await work();
  await connection.nats.flush();
  subscription.unsubscribe();
  return received;
}
const all = <T>(count: number, call: (id: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => call(index + 1)));

describe('calls of one turn', () => {
  it('travel in messages of sixteen, and so do their replies', async () => {
    const replies = during('_INBOX.tester.tester.>', () =>
      all(40, async (id) => expect(await callOf(id)).toEqual({ id, name: `name ${id}` })),
    );
    const calls = await during('rpc.*.widgets.*', () => replies);
    expect(calls.map((message) => observedCalls(message).length)).toEqual([16, 16, 8]);
    // Forty replies in forty messages would be no sharing at all.
    expect((await replies).length).toBeLessThan(20);
  });

  it('are each served for their own caller, and fail alone', async () => {
    service.handlers.callers.splice(0);
    const results = await Promise.allSettled([
      callOf(1, 7),
      callOf(2, 8),
      callOf(3, 9, ''),
      client.call(endpoints.sleep, { ms: 0, fail: false }, callerOf(10)),
    ]);
    expect(service.handlers.callers.map(({ companyId }) => companyId)).toEqual([7, 8]);
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'rejected']);
    expect(results.slice(2)).toMatchObject([{ reason: { kind: 'invalid' } }, { reason: { kind: 'refused' } }]);
  });

  it('do not share a message when they are large', async () => {
    const messages = await during('rpc.*.widgets.*', () =>
      Promise.allSettled([callOf(1), callOf(2), callOf(3, 1, 'x'.repeat(20_000))]),
    );
    expect(messages.map((message) => observedCalls(message).length).sort()).toEqual([1, 2]);
  });

  it('are not sent when their callers have left before', async () => {
    const late = client.call(endpoints.renameWidget, { widget_id: 1, name: 'late' }, callerOf(1, -1));
    await expect(late).rejects.toMatchObject({ kind: 'timeout' });
    await expect(callOf(2)).resolves.toMatchObject({ id: 2 });
  });
});

describe('a service that cannot read the message', () => {
  const serveAlone = (message: Msg): void => {
    if (observedCalls(message).length === 1 && message.subject.endsWith('.renameWidget'))
      return void message.respond(JSON.stringify({ id: 1, name: 'alone' }));
    const refused = headers();
    refused.set('Failed', '404');
    message.respond(JSON.stringify({ kind: 'not_found', message: 'endpoint not found', extras: {} }), {
      headers: refused,
    });
  };

  it('gets each call alone', async () => {
    const messages = await during(
      'rpc.*.played.*',
      () => all(3, async (id) => expect(await played(id)).toEqual({ id: 1, name: 'alone' })),
      serveAlone,
    );
    expect(messages.map((message) => observedCalls(message).length)).toEqual([3, 1, 1, 1]);
  });

  it('is down when there is none', async () => {
    const results = await Promise.allSettled([played(1), played(2)]);
    const down = { reason: { kind: 'unavailable', message: 'the played service is down' } };
    expect(results).toMatchObject([down, down]);
  });
});

describe('a message with several calls', () => {
  it.each(['a b', '', '\r\nPUB x 0\r\n\r\n', '*', '>'])(
    'is refused when a token could not be a part of a subject: %j',
    async (token) => {
      const payload = new TextEncoder().encode('{"widget_id":1,"name":"x"}');
      const headers = { Caller: JSON.stringify(callerOf(1)) };
      const before = service.handlers.calls;
      connection.nats.publish(
        'rpc.tester.widgets.calls-together',
        frameCalls([{ endpoint: 'renameWidget', token, headers, payload }]),
        { reply: '_INBOX.tester.tester.none.~1' },
      );
      await expect(callOf(5)).resolves.toMatchObject({ id: 5 });
      expect(service.handlers.calls).toBe(before + 1);
    },
  );
});

describe('a message with several replies', () => {
  /** Replies to both calls in one message, from the inbox of a service. */
  const replyAs = (from: string) => (message: Msg) => {
    const inbox = (message.reply ?? '').split('.');
    const replies = readCalls(message.data).map(({ token }, index) => ({
      token,
      payload: new TextEncoder().encode(JSON.stringify({ id: index + 1, name: 'together' })),
    }));
    connection.nats.publish(['_INBOX', 'tester', from, ...inbox.slice(3)].join('.'), frameReplies(replies));
  };

  it('is read', async () => {
    const results: unknown[] = [];
    await during('rpc.*.played.*', async () => results.push(await all(2, played)), replyAs('played'));
    expect(results).toEqual([
      [
        { id: 1, name: 'together' },
        { id: 2, name: 'together' },
      ],
    ]);
  });

  it('that cannot be read ends its calls alone', async () => {
    const short = (id: number) => client.call(rename, { widget_id: id, name: 'x' }, callerOf(1, 300));
    const results: unknown[] = [];
    await during(
      'rpc.*.played.*',
      async () => results.push(...(await Promise.allSettled([short(1), short(2)]))),
      ({ reply = '' }) => connection.nats.publish(reply, '{"no": frame'),
    );
    expect(results).toMatchObject([{ reason: { kind: 'timeout' } }, { reason: { kind: 'timeout' } }]);
    await expect(callOf(1)).resolves.toMatchObject({ id: 1 });
  });

  it('is not accepted from another service', async () => {
    const short = (id: number) => client.call(rename, { widget_id: id, name: 'x' }, callerOf(1, 300));
    const results: unknown[] = [];
    await during(
      'rpc.*.played.*',
      async () => results.push(...(await Promise.allSettled([short(1), short(2)]))),
      replyAs('agents'),
    );
    expect(results).toMatchObject([{ reason: { kind: 'timeout' } }, { reason: { kind: 'timeout' } }]);
  });

  it('replies to no call of another service', async () => {
    // The service that was called together names the token of a call to another one.
    const other = { ...rename, subject: 'rpc.other.renameWidget', service: 'other' };
    let token = '';
    const results: unknown[] = [];
    await during(
      'rpc.*.other.*',
      () =>
        during(
          'rpc.*.played.*',
          async () => {
            const call = client.call(other, { widget_id: 1, name: 'x' }, callerOf(1, 600));
            const caught = call.catch((error: Error) => error.message);
            await Promise.allSettled(
              [1, 2].map((id) => client.call(rename, { widget_id: id, name: 'x' }, callerOf(1, 300))),
            );
            results.push(await caught);
          },
          ({ reply = '' }) =>
            connection.nats.publish(
              reply,
              frameReplies([{ token, payload: new TextEncoder().encode('{"id":1,"name":"forged"}') }]),
            ),
        ),
      ({ reply = '' }) => (token = reply.slice(reply.lastIndexOf('.') + 1)),
    );
    expect(token).not.toBe('');
    expect(results).toEqual(['the other service did not answer in time']);
  });
});
