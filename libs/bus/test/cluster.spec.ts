import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BusClient, type BusConnection, EventStream, STREAM } from '@signalbox/bus';
import { eventually, type NatsServers, natsUsers, startNatsCluster, timeScale } from '@signalbox/testing';
import { STREAM_LIMITS } from '../src/events/streams.js';
import { DeliveryUnknown } from '../src/resume/call-lost.js';
import { callerOf, connectTo, startWidgets, type WidgetService, widgets } from './widgets.js';

const { endpoints } = widgets;
const SIZE = 3;
const MOVED_MS = 2000;
const MOVES = 2;

let dir: string;
let cluster: NatsServers;
let service: WidgetService;
let connection: BusConnection;
let client: BusClient;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'signalbox-cluster-'));
  await mkdir(join(dir, 'logs'));
  cluster = await startNatsCluster(SIZE, dir, natsUsers());
  const servers = { nats: { url: cluster.url } };
  service = await startWidgets(servers);
  connection = await connectTo(servers);
  client = new BusClient(connection);
}, 60_000);

afterAll(async () => {
  await service.close();
  await connection.close();
  await cluster.stop();
  await rm(dir, { recursive: true, force: true });
});

/** The server that a connection has, by its position. */
const serverOf = ({ nats }: BusConnection): number =>
  cluster.servers.findIndex(({ port }) => nats.getServer().endsWith(`:${port}`));

/** Longer than it takes to notice that a process is lost. */
const CALL_MS = 20_000 * timeScale();

const read = () => client.call(endpoints.getWidget, { widget_id: 7 }, callerOf(1, CALL_MS));
const rename = () => client.call(endpoints.renameWidget, { widget_id: 8, name: 'renamed' }, callerOf(1, CALL_MS));

/** Repeats a call until it is told to end; the failures so far. */
function load(call: () => Promise<unknown>) {
  const found = { done: 0, failures: [] as unknown[] };
  let goesOn = true;
  const loop = (async () => {
    while (goesOn)
      await call().then(
        () => found.done++,
        (error: unknown) => found.failures.push(error),
      );
  })();
  const end = async (): Promise<unknown[]> => {
    const { done } = found;
    await eventually('calls succeed afterwards', () => found.done > done);
    goesOn = false;
    await loop;
    return found.failures;
  };
  return { found, end };
}

/** An export that takes some seconds; how many bytes of it arrive. */
async function exported(): Promise<number> {
  const input = { parts: 40, part_bytes: 100, every_ms: 50 };
  const { chunks } = await client.stream(endpoints.exportWidgets, input, callerOf(1, 60_000));
  let bytes = 0;
  for await (const chunk of chunks) bytes += chunk.length;
  return bytes;
}

describe('a bus of three servers', () => {
  it('loses one after the other without a failed read or a lost part of a stream', async () => {
    const reads = load(read);
    for (const role of [() => serverOf(connection), () => serverOf(service.connection)]) {
      const stream = exported();
      await eventually('the export has begun', () => service.handlers.exported?.aborted === false);
      const at = role();
      await cluster.kill(at);
      await eventually('the connection is at another server', () => role() !== at && role() >= 0);
      expect(await stream).toBe(4000);
      await cluster.restart(at);
    }
    expect(await reads.end()).toEqual([]);
    expect(reads.found.done).toBeGreaterThan(10);
  }, 90_000);

  it('moves connections from a server that is going to stop, without a failed read', async () => {
    const reads = load(read);
    const writes = [load(rename), load(rename)];
    for (let round = 0; round < MOVES; round++) {
      const at = serverOf(round === 0 ? connection : service.connection);
      const began = Date.now();
      cluster.retire(at);
      await eventually('the connections are at other servers', () => {
        const places = [connection, service.connection].map((each) => (each.isUp ? serverOf(each) : at));
        return !places.includes(at);
      });
      expect(Date.now() - began).toBeLessThan(MOVED_MS * timeScale());
      await cluster.kill(at);
      await cluster.restart(at);
    }
    const failures = await reads.end();
    const lost = (await Promise.all(writes.map(({ end }) => end()))).flat();
    expect(failures).toEqual([]);
    // A write without an idempotency key is not sent twice, and one that is between two servers just when the process at
    // the other end leaves one of them is dropped there.
    expect(lost.filter((failure) => !(failure instanceof DeliveryUnknown))).toEqual([]);
    expect(lost.length).toBeLessThanOrEqual(MOVES * writes.length);
  }, 90_000);

  it('gives existing streams the replicas that are set, with what they hold', async () => {
    const single = new EventStream(connection, { ...STREAM_LIMITS, replicas: 1 });
    const { streams } = await single.jsm();
    await eventually('the cluster has a leader', () =>
      single.ensure().then(
        () => true,
        () => false,
      ),
    );
    expect((await streams.info(STREAM)).config.num_replicas).toBe(1);
    await single.js.publish('events.1.widget.created', 'kept');
    const replicated = new EventStream(connection, { ...STREAM_LIMITS, replicas: SIZE });
    await replicated.update();
    const current = async () => {
      const { cluster: found, config } = await streams.info(STREAM);
      return config.num_replicas === SIZE && found?.replicas?.filter((each) => each.current).length === SIZE - 1;
    };
    await eventually('both other servers have the stream', () => current().catch(() => false));
    const stored = await streams.getMessage(STREAM, { seq: 1 });
    expect(Buffer.from(stored?.data ?? []).toString()).toBe('kept');
  }, 120_000);
});
