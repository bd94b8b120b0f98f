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
const read = (id: number) => client.call(endpoints.getWidget, { widget_id: id }, callerOf(1, 20_000));
const rename = (id: number) => client.call(endpoints.renameWidget, { widget_id: id, name: 'new' }, callerOf(1, 20_000));

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

describe('a service with one suspended process of two', () => {
  it('replies to every read after its first silence, from the other process', async () => {
    const { served, slowestMs } = await each(read);
    expect(served).toBe(CALLS);
    // A slow call proves that the suspended process got some.
    expect(slowestMs).toBeGreaterThan(1000);
    expect(slowestMs).toBeLessThan(3500);
  });

  it('gets no further call in that process, neither a read nor a write nor a stream', async () => {
    const [reads, writes] = [await each(read), await each(rename)];
    expect([reads.served, writes.served]).toEqual([CALLS, CALLS]);
    expect(Math.max(reads.slowestMs, writes.slowestMs)).toBeLessThan(1000);
    const streams = Array.from({ length: 8 }, async () => {
      const { chunks } = await client.stream(endpoints.exportWidgets, FILE, callerOf(1, 20_000));
      let bytes = 0;
      for await (const chunk of chunks) bytes += chunk.length;
      return bytes;
    });
    const began = performance.now();
    expect(await Promise.all(streams)).toEqual(streams.map(() => 30_000));
    expect(performance.now() - began).toBeLessThan(1500);
  });

  it('gets calls in both processes once the suspended one continues', async () => {
    const addressed = new Set<string>();
    const subscription = connection.nats.subscribe('rpc.*.widgets.*', {
      callback: (_, { subject }) => void addressed.add(subject.split('.').at(-1) ?? ''),
    });
    suspended.kill('SIGCONT');
    await eventually('both processes are addressed', async () => {
      await read(1);
      return [...addressed].filter((name) => name.startsWith('process-')).length === 2;
    });
    subscription.unsubscribe();
    expect((await each(read)).served).toBe(CALLS);
  });

  it('loses no call after a pause in which one of them was killed', async () => {
    await each(read);
    suspended.kill('SIGKILL');
    await once(suspended, 'exit');
    // The last roll call, in which it reported, is over.
    await pause(1500);
    const { served, slowestMs } = await each(rename);
    expect(served).toBe(CALLS);
    expect(slowestMs).toBeLessThan(1000);
    const { chunks } = await client.stream(endpoints.exportWidgets, { ...FILE, parts: 1 }, callerOf(1, 20_000));
    for await (const chunk of chunks) expect(chunk).toHaveLength(FILE.part_bytes);
  });
});
