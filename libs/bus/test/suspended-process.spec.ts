import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setImmediate, setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { BusClient, type BusConnection } from '@signalbox/bus';
import { eventually, startServers, type TestServers } from '@signalbox/testing';
import { callerOf, connectTo, startWidgets, type WidgetService, widgets } from './widgets.js';

const { endpoints } = widgets;
let servers: TestServers;
let service: WidgetService;
let suspended: ChildProcess;
let connection: BusConnection;
let client: BusClient;

beforeAll(async () => {
  servers = await startServers();
  service = await startWidgets(servers);
  suspended = fork(fileURLToPath(new URL('widget-process.js', import.meta.url)));
  suspended.send({ url: servers.nats.url });
  await once(suspended, 'message');
  connection = await connectTo(servers);
  client = new BusClient(connection);
  suspended.kill('SIGSTOP');
}, 60_000);
afterAll(async () => {
  suspended.kill('SIGKILL');
  await service.close();
  await connection.close();
  await servers.stop();
});

const CALLS = 24;
const FILE = { parts: 30, part_bytes: 1000, every_ms: 1 };
const read = (id: number) => client.call(endpoints.getWidget, { widget_id: id }, callerOf(1, 60_000));
const rename = (id: number) => client.call(endpoints.renameWidget, { widget_id: id, name: 'new' }, callerOf(1, 60_000));

/** The outcome and the duration of calls that begin in separate turns, so that each has a message. */
async function each(call: (id: number) => Promise<{ id: number }>): Promise<{ served: number; slowestMs: number }> {
  const calls: Promise<number | null>[] = [];
  for (let id = 1; id <= CALLS; id++) {
    const began = performance.now();
    calls.push(
      call(id).then(
        () => performance.now() - began,
        () => null,
      ),
    );
    await setImmediate();
  }
  const ended = await Promise.all(calls);
  const served = ended.filter((ms): ms is number => ms !== null);
  return { served: served.length, slowestMs: Math.max(...served) };
}

/** What calls are sent to from now on: the ids of processes, or endpoints for the queue of the service. */
function addressed(): { names: Set<string>; stop: () => Set<string> } {
  const names = new Set<string>();
  const subscription = connection.nats.subscribe('rpc.*.widgets.*', {
    callback: (_, { subject }) => {
      const name = subject.split('.').at(-1) ?? '';
      if (name !== 'roll-call') names.add(name);
    },
  });
  const stop = (): Set<string> => {
    subscription.unsubscribe();
    return names;
  };
  return { names, stop };
}

describe('a service with one suspended process of two', () => {
  it('replies to every read after its first silence, from the other process', async () => {
    const { served, slowestMs } = await each(read);
    expect(served).toBe(CALLS);
    // A slow call proves that the suspended process got some.
    expect(slowestMs).toBeGreaterThan(1000);
  });

  it('gets no further call in that process, neither a read nor a write nor a stream', async () => {
    const addressees = addressed();
    const [reads, writes] = [await each(read), await each(rename)];
    expect([reads.served, writes.served]).toEqual([CALLS, CALLS]);
    const streams = Array.from({ length: 8 }, async () => {
      const { chunks } = await client.stream(endpoints.exportWidgets, FILE, callerOf(1, 60_000));
      let bytes = 0;
      for await (const chunk of chunks) bytes += chunk.length;
      return bytes;
    });
    expect(await Promise.all(streams)).toEqual(streams.map(() => 30_000));
    // One process, and not the queue, of which the suspended one is a member.
    expect([...addressees.stop()].map((name) => name.replace(/-.*/, ''))).toEqual(['process']);
  });

  it('gets calls in both processes once the suspended one continues', async () => {
    const addressees = addressed();
    suspended.kill('SIGCONT');
    await eventually('both processes are addressed', async () => {
      await read(1);
      return [...addressees.names].filter((name) => name.startsWith('process-')).length === 2;
    });
    addressees.stop();
    expect((await each(read)).served).toBe(CALLS);
  });

  it('loses no call after a pause in which one of them was killed', async () => {
    await each(read);
    suspended.kill('SIGKILL');
    await once(suspended, 'exit');
    // The last discovery ping, in which it reported, is over.
    await pause(1500);
    expect((await each(rename)).served).toBe(CALLS);
    const { chunks } = await client.stream(endpoints.exportWidgets, { ...FILE, parts: 1 }, callerOf(1, 60_000));
    for await (const chunk of chunks) expect(chunk).toHaveLength(FILE.part_bytes);
  });
});
