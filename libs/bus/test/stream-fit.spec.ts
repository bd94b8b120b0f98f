import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AUDIT_STREAM, BusConnection, EventStream, STREAM } from '@signalbox/bus';
import { createLogger } from '@signalbox/platform';
import { type NatsServer, startNats } from '@signalbox/servers';

describe('the streams on a small disk', () => {
  let home: string;
  let nats: NatsServer | undefined;
  let connection: BusConnection | undefined;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'stream-fit-'));
    await mkdir(join(home, 'store'));
  });
  afterEach(async () => {
    await connection?.close();
    await nats?.stop();
    spawnSync('umount', [join(home, 'store')]);
    await rm(home, { recursive: true, force: true });
  });

  async function onDisk(megabytes: number): Promise<EventStream | null> {
    const store = join(home, 'store');
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', store]).status !== 0) return null;
    nats = await startNats({
      storeDir: store,
      configFile: join(home, 'nats.conf'),
      logFile: join(home, 'nats.log'),
      users: [{ user: 'tester', password: 'secret', permissions: { publish: ['>'], subscribe: ['>'] } }],
    });
    const url = `nats://tester:secret@127.0.0.1:${nats.port}`;
    connection = await BusConnection.open(url, 'tester', createLogger('tester', 'silent'));
    return new EventStream(connection);
  }

  it('are created with smaller limits, both of them, and keep messages', async () => {
    const stream = await onDisk(215);
    if (!stream) return process.emitWarning('skipped: no file system may be mounted here');
    for (const name of [STREAM, AUDIT_STREAM] as const) await stream.ensure(name);
    const { streams } = await stream.jsm();
    const sizes = await Promise.all(
      [STREAM, AUDIT_STREAM].map(async (name) => (await streams.info(name)).config.max_bytes),
    );
    expect(sizes).toEqual([64 * 1_048_576, 32 * 1_048_576]);
    expect((await stream.js.publish('audit.1', '{}')).stream).toBe(AUDIT_STREAM);
    // After a restart the configured limits do not fit either.
    await stream.update();
    expect((await streams.info(STREAM)).config.max_bytes).toBe(64 * 1_048_576);
  });

  it('are refused, and the reason named, when there is no space for the smallest ones', async () => {
    const stream = await onDisk(8);
    if (!stream) return process.emitWarning('skipped: no file system may be mounted here');
    await expect(stream.ensure()).rejects.toThrow('the disk of the bus has no space for the stream EVENTS');
  });
});
