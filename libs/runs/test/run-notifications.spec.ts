import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BusConnection } from '@signalbox/bus';
import { createLogger } from '@signalbox/platform';
import { RunNotifications } from '@signalbox/runs';
import { type NatsServer, startNats } from '@signalbox/servers';
import { eventually } from '@signalbox/testing';

const USER = 'agents';
const PASSWORD = 'for-this-spec';

let directory: string;
let nats: NatsServer;
let connections: BusConnection[];
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'notifications-'));
  const user = { user: USER, password: PASSWORD, permissions: { publish: ['>'], subscribe: ['>'] } };
  nats = await startNats({
    storeDir: join(directory, 'nats'),
    configFile: join(directory, 'nats.conf'),
    logFile: join(directory, 'nats.log'),
    users: [user],
  });
  const url = new URL(nats.url);
  url.username = USER;
  url.password = PASSWORD;
  const open = () => BusConnection.open(url.href, USER, createLogger(USER, 'silent'));
  connections = [await open(), await open()];
}, 60_000);
afterAll(async () => {
  for (const connection of connections) await connection.close();
  await nats.stop();
  await rm(directory, { recursive: true, force: true });
});

/** The notifications of one process that waits for runs, and of one that executes them. */
function processes() {
  const [waiting, executing] = connections.map((connection) => new RunNotifications(connection));
  for (const each of [waiting, executing]) each?.recognise({ end: ['run.completed'], wait: ['run.waiting'] });
  return { waiting: waiting!, executing: executing! };
}
const event = (seq: number, type: string) => ({ seq, type, data: {} });

it('a process receives the events of the runs that it has listeners for, and of no others', async () => {
  const { waiting, executing } = processes();
  const heard: string[] = [];
  const stops = [
    waiting.onEnd('wanted', () => heard.push('end')),
    waiting.onWait('wanted', () => heard.push('wait')),
    waiting.onEvent('wanted', () => heard.push('event')),
  ];
  await connections[0]!.nats.flush();
  const before = connections[0]!.nats.stats().inMsgs;
  const others = Array.from({ length: 100 }, (_, seq) => event(seq, 'run.delta'));
  executing.publish([{ id: 'other', events: others }]);
  executing.publish([{ id: 'wanted', events: [event(1, 'run.waiting'), event(2, 'run.completed')] }]);
  await eventually('the end has arrived', () => heard.includes('end'));
  expect(heard).toEqual(['event', 'wait', 'event', 'end']);
  expect(connections[0]!.nats.stats().inMsgs - before).toBe(2);

  for (const stop of [...stops, ...stops]) stop();
  await connections[0]!.nats.flush();
  executing.publish([{ id: 'wanted', events: [event(3, 'run.completed')] }]);
  await connections[1]!.nats.flush();
  await connections[0]!.nats.flush();
  expect(heard).toHaveLength(4);
  expect(connections[0]!.nats.stats().inMsgs - before).toBe(2);
});
