import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Msg } from '@nats-io/transport-node';
import { BusClient, type BusConnection } from '@signalbox/bus';
import { ApiError } from '@signalbox/contracts';
import { slowdown } from '@signalbox/platform';
import { eventually, startServers, type TestServers } from '@signalbox/testing';
import { presenceSubject } from '../src/calls/failure-detection/presence.js';
import { callSubject } from '../src/calls/senders.js';
import { SILENCE_MS, workingHeaders } from '../src/calls/wire.js';
import { callerOf, connectTo, widgets } from './widgets.js';

const { endpoints } = widgets;
let servers: TestServers;
let connection: BusConnection;
let client: BusClient;

beforeAll(async () => {
  servers = await startServers();
  connection = await connectTo(servers);
  client = new BusClient(connection);
}, 60_000);
afterAll(async () => {
  await connection.close();
  await servers.stop();
});

const failure = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'served',
    (error: unknown) => (error instanceof ApiError ? error.message : error),
  );
const slow = { ...endpoints.sleep, slow: true };
// One that is not opened again in another process.
const file = { ...endpoints.exportWidgets, method: 'POST' as const };
const sleep = (ms: number) => client.call(slow, { ms, fail: false }, callerOf(1, 60_000));

/** Reads a slow file to its end; calls back with its first part. */
async function readFile(began: () => void): Promise<void> {
  const input = { parts: 100, part_bytes: 100_000, every_ms: 700 };
  const { chunks } = await client.stream(file, input, callerOf(1, 60_000));
  for await (const _ of chunks) began();
}

describe('a process that works on slow calls', () => {
  it('is known to have ended within seconds, by a caller and by the reader of a file', async () => {
    const process = fork(fileURLToPath(new URL('widget-process.js', import.meta.url)));
    process.send({ url: servers.nats.url });
    await once(process, 'message');
    let parts = 0;
    const calls = [failure(sleep(60_000)), failure(readFile(() => parts++))];
    await eventually('both are served', () => parts > 1);
    process.kill('SIGKILL');
    const began = performance.now();
    expect(await Promise.all(calls)).toEqual([
      'the tester service is down',
      'the tester service did not answer in time',
    ]);
    // By their silence they would be lost at the end of this time.
    expect(performance.now() - began).toBeLessThan(slowdown.allow(SILENCE_MS / 2));
  }, 60_000);

  it('counts as ended when it stays away, and not when it is back within two seconds', async () => {
    const [gone, back] = [confirming('gone'), confirming('back')];
    const began = performance.now();
    const lost = failure(gone.call()).then((outcome) => ({ outcome, ms: performance.now() - began }));
    const served = failure(back.call());
    const present = back.connect();
    await back.confirmed();
    await pause(1100);
    present.unsubscribe();
    await pause(2000);
    back.connect();
    const { outcome, ms } = await lost;
    expect(outcome).toBe('the gone service is down');
    expect(ms).toBeLessThan(slowdown.allow(SILENCE_MS / 2));
    await pause(1100);
    back.reply();
    expect(await served).toBe('served');
  });
});

/** A service that confirms one call and replies to it later; it is connected while its subscription lives. */
function confirming(service: string) {
  const endpoint = { ...slow, subject: `rpc.${service}.sleep`, service };
  const processId = `process-of-${service}`;
  let call: Msg | undefined;
  connection.nats.subscribe(callSubject('*', endpoint), {
    max: 1,
    callback: (_, message) => {
      call = message;
      message.respond('', { headers: workingHeaders(processId) });
    },
  });
  return {
    call: () => client.call(endpoint, { ms: 0, fail: false }, callerOf(1, 60_000)),
    confirmed: () => eventually('the call has arrived', () => call !== undefined),
    connect: () => connection.nats.subscribe(presenceSubject(service, processId)),
    reply: () => call?.respond(JSON.stringify({ id: 1, name: 'late' })),
  };
}
