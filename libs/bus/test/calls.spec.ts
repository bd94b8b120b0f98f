import { BusClient, type BusConnection } from '@signalbox/bus';
import { ApiError } from '@signalbox/contracts';
import { eventually, startServers, type TestServers, timeScale } from '@signalbox/testing';
import { callSubject } from '../src/calls/senders.js';
import { RECEIPT_SILENCE_MS } from '../src/calls/wire.js';
import { callerOf, connectTo, type WidgetService, widgets, SLOW_MS, startWidgets } from './widgets.js';

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

const failure = (call: Promise<unknown>): Promise<ApiError> =>
  call.then(
    () => Promise.reject(new Error('the call succeeded')),
    (error: unknown) => (error instanceof ApiError ? error : Promise.reject(error as Error)),
  );
async function timed<T>(work: Promise<T>): Promise<{ ms: number; result: T }> {
  const started = Date.now();
  const result = await work;
  return { ms: Date.now() - started, result };
}
const read = (id: number, company = 1, waitMs?: number) =>
  client.call(endpoints.getWidget, { widget_id: id }, callerOf(company, waitMs));

describe('a file', () => {
  const open = (input: { parts: number; part_bytes: number; every_ms: number }) =>
    client.stream(endpoints.exportWidgets, input, callerOf(1, 200));

  it('that is made or read slowly is complete long after the deadline of its call', async () => {
    const { ms, result } = await timed(
      (async () => {
        let bytes = 0;
        for await (const chunk of (await open({ parts: 6, part_bytes: 10, every_ms: 500 })).chunks)
          bytes += chunk.length;
        return bytes;
      })(),
    );
    expect(result).toBe(60);
    // A reply that has to be complete by its deadline ends 2.2 seconds after the call.
    expect(ms).toBeGreaterThan(2500);
  });

  it('ends in its service when its reader takes nothing of it any longer', async () => {
    const { chunks } = await open({ parts: 100, part_bytes: 100_000, every_ms: 0 });
    const reader = chunks[Symbol.asyncIterator]();
    await reader.next();
    await eventually('the export ends', () => service.handlers.exported?.aborted === true);
    const rest = async (): Promise<void> => {
      for (let done = false; !done;) ({ done = false } = await reader.next());
    };
    await expect(rest()).rejects.toMatchObject({ kind: 'timeout' });
  });
});

describe('a read by key', () => {
  /** A process of a release in which the endpoint was not read in batches. */
  const {
    batchable: _batchable,
    unbatchedWhen: _unbatchedWhen,
    unbatched: _unbatched,
    ...single
  } = endpoints.getWidget;
  const earlier = (input: { widget_id: number; shout?: boolean }) => client.call(single, input, callerOf(1));

  it('goes to another endpoint when it asks for what a batch does not have', async () => {
    const call = (shout: boolean) => client.call(endpoints.getWidget, { widget_id: 7, shout }, callerOf(1));
    expect((await Promise.all([call(true), call(false)])).map(({ name }) => name)).toEqual([
      'WIDGET 1/7',
      'widget 1/7',
    ]);
  });

  it('is answered alone as well, as processes of an earlier release ask', async () => {
    expect(await earlier({ widget_id: 7 })).toEqual({ id: 7, name: 'widget 1/7' });
    expect(await earlier({ widget_id: 7, shout: true })).toEqual({ id: 7, name: 'WIDGET 1/7' });
    expect(await failure(earlier({ widget_id: 1001 }))).toMatchObject({
      kind: 'not_found',
      message: 'widget not found',
    });
  });
});

describe('a call', () => {
  it('to a service that does not run is 503 at once', async () => {
    const absent = { ...endpoints.sleep, subject: 'rpc.absent.sleep', service: 'absent' };
    const { ms, result } = await timed(failure(client.call(absent, { ms: 0, fail: false }, callerOf(1))));
    expect(result).toMatchObject({ kind: 'unavailable', status: 503, message: 'the absent service is down' });
    // Some milliseconds; otherwise it would be noticed by the silence, after two seconds, or at the deadline of five.
    expect(ms).toBeLessThan(1500 * timeScale());
  });

  it('that takes too long is 504 at its deadline, and not sent at all after it', async () => {
    const caller = callerOf(1, 200);
    const { ms, result } = await timed(failure(client.call(endpoints.sleep, { ms: 3000, fail: false }, caller)));
    expect(result).toMatchObject({ kind: 'timeout', status: 504 });
    expect(Date.now()).toBeGreaterThanOrEqual(caller.deadline - 10);
    // The reply comes after three seconds.
    expect(ms).toBeLessThan(2500 * timeScale());
    const late = await failure(client.call(endpoints.sleep, { ms: 0, fail: false }, callerOf(1, -1)));
    expect(late.status).toBe(504);
  });

  it('passes on the trace of its caller, and begins none', async () => {
    const traceparent = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`;
    const widget = { widget_id: 777, name: 'traced' };
    await client.call(endpoints.renameWidget, widget, { ...callerOf(1), traceparent });
    await client.call(endpoints.renameWidget, widget, callerOf(1));
    expect(service.handlers.callers.slice(-2).map((caller) => caller.traceparent)).toEqual([traceparent, undefined]);
  });

  it('returns an error with kind, message, details and headers', async () => {
    const error = await failure(client.call(endpoints.sleep, { ms: 0, fail: false }, callerOf(1)));
    expect(error).toMatchObject({
      kind: 'refused',
      status: 422,
      message: 'never replied to',
      extras: { details: [{ field: 'ms', message: 'is refused' }], retryAfter: 7, headers: { 'X-Why': 'because' } },
    });
  });

  it('reveals nothing of an unexpected error', async () => {
    const error = await failure(client.call(endpoints.sleep, { ms: 0, fail: true }, callerOf(1)));
    expect(error).toMatchObject({ kind: 'internal', status: 500, message: 'internal server error' });
    expect(JSON.stringify(error)).not.toMatch(/SELECT|stack|widgets\.ts/);
  });

  it('is validated by the service too, because the bus is an entrance', async () => {
    const bad = await failure(client.call(endpoints.sleep, { ms: 'x', extra: 1 } as never, callerOf(1)));
    expect(bad.extras.details?.map(({ field }) => field).sort()).toEqual(['extra', 'fail', 'ms']);
    const list = await failure(client.call(endpoints.sleep, [] as never, callerOf(1)));
    expect(list.status).toBe(400);
  });

  it('without a caller is refused: there is no default tenant', async () => {
    const reply = await connection.nats.request('rpc.tester.widgets.sleep', '{"ms":0,"fail":false}', { timeout: 2000 });
    expect(reply.headers?.get('Failed')).toBe('401');
  });

  it('to an endpoint that the contract lacks is 404', async () => {
    const nowhere = { ...endpoints.sleep, subject: 'rpc.widgets.nowhere' };
    expect((await failure(client.call(nowhere, { ms: 0, fail: false }, callerOf(1)))).status).toBe(404);
  });
});

describe('a call to a suspended process', () => {
  const mute = { ...endpoints.sleep, subject: 'rpc.mute.sleep', service: 'mute', slow: true };
  const file = { ...endpoints.exportWidgets, subject: 'rpc.mute.exportWidgets', service: 'mute' };
  const part = { parts: 1, part_bytes: 10, every_ms: RECEIPT_SILENCE_MS + 200 };

  it('is 503 before its deadline, however long its work may take, and is repeated only where that is safe', async () => {
    const received: string[] = [];
    const subscription = connection.nats.subscribe('rpc.*.mute.>', {
      callback: (_, { subject }) => void received.push(subject.split('.').at(-1) ?? ''),
    });
    const calls = () => received.filter((name) => name !== 'roll-call').sort();
    // Well before the deadline, at which it would be 504.
    const result = await Promise.all([
      failure(client.call(mute, { ms: 0, fail: false }, callerOf(1, 300_000))),
      failure(client.call({ ...mute, resumable: true }, { ms: 0, fail: false }, callerOf(1, 300_000))),
      failure(client.stream(file, part, callerOf(1, 300_000))),
    ]);
    subscription.unsubscribe();
    expect(result.map(({ status, message }) => [status, message])).toEqual(
      Array.from({ length: 3 }, () => [503, 'the mute service is down']),
    );
    expect(calls()).toEqual(['exportWidgets', 'exportWidgets', 'sleep', 'sleep', 'sleep']);
  });

  it('is not what a long call without a result is: its process confirms it at once', async () => {
    const { chunks } = await client.stream(endpoints.exportWidgets, part, callerOf(1, 60_000));
    let bytes = 0;
    for await (const chunk of chunks) bytes += chunk.length;
    expect(bytes).toBe(10);
  });
});

describe('coalesced reads', () => {
  beforeEach(() => service.handlers.batches.splice(0));
  const sizes = () => service.handlers.batches.map(({ keys }) => keys.length);

  it('travel as one message for one turn, each with the reply of its company', async () => {
    const wanted = Array.from({ length: 40 }, (_, at) => ({ id: at + 1, company: (at % 3) + 1 }));
    const got = await Promise.all(wanted.map(({ id, company }) => read(id, company)));
    expect(got).toEqual(wanted.map(({ id, company }) => ({ id, name: `widget ${company}/${id}` })));
    expect(sizes()).toEqual([40]);
  });

  it('hold at most 64 keys', async () => {
    await Promise.all(Array.from({ length: 150 }, (_, at) => read(at + 1)));
    expect(sizes()).toEqual([64, 64, 22]);
  });

  it('are not found one by one', async () => {
    const results = await Promise.allSettled([read(1), read(2000), read(3)]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect((results[1] as PromiseRejectedResult).reason).toMatchObject({ status: 404, message: 'widget not found' });
    expect(sizes()).toEqual([3]);
  });

  it('do not wait for a slow batch', async () => {
    const slow = timed(read(950, 1, 4 * SLOW_MS));
    await new Promise((resolve) => setTimeout(resolve, 50));
    const quick = await timed(Promise.all(Array.from({ length: 10 }, (_, at) => read(at + 1))));
    expect(quick.ms).toBeLessThan(SLOW_MS / 2);
    expect((await slow).ms).toBeGreaterThanOrEqual(SLOW_MS - 20);
  });

  it('never overtake a write that was acknowledged before them', async () => {
    for (let round = 0; round < 40; round++) {
      const id = (round % 5) + 1;
      const name = `round ${round}`;
      const others = Array.from({ length: 20 }, (_, at) => read(at + 10));
      await client.call(endpoints.renameWidget, { widget_id: id, name }, callerOf(9));
      expect(await read(id, 9)).toEqual({ id, name });
      await Promise.all(others);
    }
  });

  it('time out at the deadline of each reader', async () => {
    const unhurried = read(951, 1, 4 * SLOW_MS);
    const { ms, result } = await timed(failure(read(952, 1, 100)));
    expect(result.status).toBe(504);
    expect(ms).toBeLessThan(SLOW_MS / 2);
    expect(await unhurried).toMatchObject({ id: 951 });
    expect(sizes()).toEqual([2]);
  });
});

describe('without the bus', () => {
  it('a call waits for a bus that is away for a moment', async () => {
    await servers.nats.stop();
    await eventually('the loss is noticed', () => !connection.isUp);
    const calls = [read(1, 1, 20_000), client.call(endpoints.sleep, { ms: 0, fail: true }, callerOf(1, 20_000))];
    const ended = Promise.allSettled(calls);
    await servers.restartNats({ forget: false });
    expect(await ended).toMatchObject([
      { status: 'fulfilled', value: { id: 1 } },
      { status: 'rejected', reason: { message: 'internal server error' } },
    ]);
  }, 60_000);

  it('a call is 503 soon, then at once, and works again when the bus is back', async () => {
    const { port } = servers.nats;
    await servers.nats.stop();
    await eventually('the loss is noticed', () => !connection.isUp);
    expect(await failure(read(1, 1, 60_000))).toMatchObject({ status: 503, message: 'the message bus is down' });
    expect(connection.isAway).toBe(true);
    for (const attempt of [() => read(1), () => client.call(endpoints.sleep, { ms: 0, fail: false }, callerOf(1))]) {
      const { ms, result } = await timed(failure(attempt()));
      expect(result).toMatchObject({ status: 503, extras: { retryAfter: 1 } });
      // Some milliseconds; a call that waits for the bus takes two seconds or more.
      expect(ms).toBeLessThan(1500 * timeScale());
    }
    await servers.restartNats({ forget: false });
    expect(servers.nats.port).toBe(port);
    await eventually('calls succeed again', () =>
      read(1).then(
        () => true,
        () => false,
      ),
    );
  });
});

describe('a reply larger than the bus carries', () => {
  const huge = (bytes: number): string => 'x'.repeat(bytes);

  it('is a refused read at once, never a missing reply', async () => {
    service.handlers.names.set('1/801', huge(17_000_000));
    const { ms, result } = await timed(failure(read(801, 1, 20_000)));
    expect(result).toMatchObject({
      kind: 'refused',
      status: 422,
      message: expect.stringMatching(/^the reply has 17\d+ bytes, more than/),
    });
    // A missing reply is noticed at the deadline of 20 s.
    expect(ms).toBeLessThan(15_000 * timeScale());
  });

  it('fails no other read of its batch, and bodies that are too large together are read one by one', async () => {
    const large = [811, 812, 813, 814];
    for (const id of large) service.handlers.names.set(`${id}/${id}`, huge(6_000_000));
    service.handlers.names.set('815/815', huge(17_000_000));
    const reads = await Promise.allSettled([...large, 815, 816].map((id) => read(id, id, 60_000)));
    expect(reads.map(({ status }) => status)).toEqual([...large.map(() => 'fulfilled'), 'rejected', 'fulfilled']);
    expect(reads[4]).toMatchObject({ reason: { status: 422 } });
  }, 90_000);
});

describe('a service that dies during a call', () => {
  /** A process of the service that receives one call of the endpoint and never replies, like a crashed one. */
  function deadProcess({ service: queue, subject }: { service: string; subject: string }): { taken: () => number } {
    let taken = 0;
    connection.nats.subscribe(callSubject('*', { subject }), {
      queue,
      max: 1,
      callback: () => void taken++,
    });
    return { taken: () => taken };
  }

  it('has its read retried in another process', async () => {
    const dead = deadProcess(endpoints.getWidget);
    await connection.nats.flush();
    // A client that has lost a call before addresses its calls to processes that have reported.
    const reader = new BusClient(connection);
    for (let id = 1; dead.taken() === 0 && id < 100; id++) {
      // Found before its deadline, so by its silence.
      const { id: found } = await reader.call(endpoints.getWidget, { widget_id: id }, callerOf(1, 60_000));
      expect(found).toBe(id);
    }
    expect(dead.taken()).toBe(1);
  });

  it('fails its write before the deadline, unless the client has marked it as repeatable', async () => {
    const write = async (caller = callerOf(1, 120_000)) => {
      const gateway = new BusClient(connection, true);
      const dead = deadProcess(endpoints.renameWidget);
      await connection.nats.flush();
      const outcomes: unknown[] = [];
      for (let n = 0; dead.taken() === 0 && n < 100; n++)
        outcomes.push(
          await gateway.forward(endpoints.renameWidget, { widget_id: 1, name: 'a' }, caller).then(
            () => 'renamed',
            (error: ApiError) => error.status,
          ),
        );
      expect(dead.taken()).toBe(1);
      return outcomes.at(-1);
    };
    expect(await write()).toBe(503);
    const idempotency = { key: 'k', route: 'PUT /widgets/1', bodyHash: 'h' };
    expect(await write({ ...callerOf(1, 120_000), idempotency })).toBe('renamed');
  });
});

describe('an idempotency claim', () => {
  it('travels with the call of a client, and with no nested call', async () => {
    const idempotency = { key: 'k', route: 'PUT /widgets/1', bodyHash: 'h' };
    const caller = { ...callerOf(1), idempotency };
    await client.forward(endpoints.renameWidget, { widget_id: 1, name: 'a' }, caller);
    expect(service.handlers.callers.at(-1)).not.toHaveProperty('idempotency');
    await new BusClient(connection, true).forward(endpoints.renameWidget, { widget_id: 1, name: 'a' }, caller);
    expect(service.handlers.callers.at(-1)).toMatchObject({ idempotency });
  });
});
