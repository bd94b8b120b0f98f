import { BusClient, type BusConnection } from '@signalbox/bus';
import { SCOPES } from '@signalbox/contracts';
import { startServers, type TestServers } from '@signalbox/testing';
import { headers } from '@nats-io/transport-node';
import { callerOf, connectTo, type WidgetService, widgets, startWidgets } from './widgets.js';

const { endpoints } = widgets;
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
beforeEach(() => service.handlers.callers.splice(0));

/** Sends a call by hand, under the name of a sender, and waits until it has been served. */
async function send(sender: string, reply: string | undefined, name: string): Promise<void> {
  const h = headers();
  h.set('Caller', JSON.stringify({ ...callerOf(1), scopes: SCOPES }));
  const subject = `rpc.${sender}.widgets.renameWidget`;
  connection.nats.publish(subject, JSON.stringify({ widget_id: 1, name }), { reply, headers: h });
  // Calls of one connection are served in their order.
  await client.call(endpoints.renameWidget, { widget_id: 2, name: 'after' }, callerOf(1));
}

/** The inbox that the client has named for the next call. */
function nextReply(): Promise<string> {
  return new Promise((resolve) => {
    const subscription = connection.nats.subscribe('rpc.tester.widgets.sleep', {
      max: 1,
      callback: (_error, message) => resolve(message.reply ?? ''),
    });
    void subscription;
  });
}

/** The outcome of a call to which a message arrives in the inbox of `from` before its service has replied. */
async function outcomeWhenRepliedBy(from: string): Promise<unknown> {
  const replyTo = nextReply();
  await connection.nats.flush();
  const call = client
    .call(endpoints.sleep, { ms: 300, fail: false }, callerOf(1))
    .catch((error: Error) => error.message);
  const inbox = (await replyTo).split('.');
  expect(inbox.slice(0, 3)).toEqual(['_INBOX', 'tester', 'tester']);
  connection.nats.publish(['_INBOX', 'tester', from, ...inbox.slice(3)].join('.'), '{"id":1,"name":"forged"}');
  return call;
}

describe('the sender of a call', () => {
  it('is served with every scope when it opens calls for clients', async () => {
    await send('gateway', '_INBOX.gateway.x', 'by the gateway');
    expect(service.handlers.callers[0]).toMatchObject({ companyId: 1, scopes: SCOPES });
  });

  it.each(['accounts', 'traffic', 'agents'])('loses the scope of administrators when it is %s', async (sender) => {
    await send(sender, `_INBOX.${sender}.x`, 'by a service');
    expect(service.handlers.callers[0]?.scopes).toEqual(SCOPES.filter((scope) => scope !== 'admin'));
  });

  it.each([
    ['the inbox of another user', '_INBOX.gateway.agents.x'],
    ['an inbox whose user only begins alike', '_INBOX.agents2.x'],
    ['no reply subject', undefined],
  ])('is refused, and sent nothing, with %s', async (_what, reply) => {
    const received: string[] = [];
    const stop = connection.listen('_INBOX.gateway.>', (_payload, subject) => received.push(subject));
    await send('agents', reply, 'forged');
    stop();
    expect(service.handlers.callers).toHaveLength(1);
    expect(received).toEqual([]);
  });
});

describe('a reply', () => {
  it('is accepted from the service that was called', async () => {
    expect(await outcomeWhenRepliedBy('tester')).toEqual({ id: 1, name: 'forged' });
  });

  it('is not accepted from another service that has the inbox subject', async () => {
    expect(await outcomeWhenRepliedBy('agents')).toBe('never replied to');
  });
});
