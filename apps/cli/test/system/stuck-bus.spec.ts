import { spawnSync } from 'node:child_process';
import { mkdir, rm, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { FixturePlatform } from './fixture-platform.js';

const MIB = 1_048_576;

describe('a bus that runs but does not work', () => {
  let platform: FixturePlatform;
  let mounted: string | null = null;
  beforeAll(async () => {
    platform = await FixturePlatform.create();
    mounted = await smallDisk(160);
    await platform.start();
  }, 60_000);
  // What the tests before have waited for is printed already.
  beforeEach(() => void (platform.output = ''));
  afterAll(async () => {
    await platform.signal('SIGTERM');
    if (mounted !== null) spawnSync('umount', [mounted]);
    await platform.remove();
  });

  /** A separate file system for the store of the bus; null when this process may not mount one. */
  async function smallDisk(megabytes: number): Promise<string | null> {
    const place = join(platform.dataDir, 'nats');
    await mkdir(place, { recursive: true });
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', place]);
    return status === 0 ? place : null;
  }

  /** A connection with the login of a service. */
  async function connected(service: string): Promise<NatsConnection> {
    const { NATS_URL = '' } = JSON.parse(await platform.read(service, 'environment.json')) as Record<string, string>;
    const { host, username: user, password: pass } = new URL(NATS_URL);
    return connect({ servers: host, user, pass, inboxPrefix: `_INBOX.${user}` });
  }

  /** A core NATS message, without JetStream. */
  async function plainMessage(): Promise<string> {
    const connection = await connected('agents');
    try {
      const subject = 'work.agents.test';
      const replied = new Promise<string>((resolve) =>
        connection.subscribe(subject, { callback: (_error, message) => resolve(message.string()) }),
      );
      connection.publish(subject, 'served');
      return await replied;
    } finally {
      await connection.close();
    }
  }

  const restarted = async (before: number | null): Promise<void> => {
    await platform.until(async () => {
      const pid = await platform.pid('nats');
      return pid !== null && pid !== before && platform.output.includes('nats runs again');
    }, 60_000);
  };

  it('because its disk was full works again once there is space, and carries calls meanwhile', async () => {
    if (mounted === null) return process.emitWarning('skipped: no file system may be mounted here');
    const before = await platform.pid('nats');
    const filler = join(mounted, 'filler');
    const { bavail, bsize } = await statfs(mounted);
    // The bus may take some of the space meanwhile; the disk is full either way.
    await writeFile(filler, Buffer.alloc(bavail * bsize)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOSPC') throw error;
    });
    await platform.until(() => /nats runs but does not work: .*has 0 MiB left/.test(platform.output), 60_000);
    expect(await platform.pid('nats')).toBe(before);
    expect(await plainMessage()).toBe('served');
    await rm(filler);
    // A server that recovers without a restart is not restarted; one that keeps refusing messages is.
    await platform.until(() => /nats (works|runs) again/.test(platform.output), 60_000);
    expect(platform.output.includes('nats ended')).toBe((await platform.pid('nats')) !== before);
    expect((await statfs(mounted)).bavail * bsize).toBeGreaterThan(100 * MIB);
  }, 150_000);

  it('because it hangs is restarted', async () => {
    const before = await platform.pid('nats');
    process.kill(before ?? 0, 'SIGSTOP');
    await restarted(before);
    expect(platform.output).toContain('nats runs but does not work: it stores no messages (no reply within 3 s)');
    expect(await plainMessage()).toBe('served');
  }, 120_000);

  it('because one of its streams refuses messages is named and restarted', async () => {
    const before = await platform.pid('nats');
    const connection = await connected('accounts');
    const { streams } = await jetstreamManager(connection, { checkAPI: false });
    await streams.add({ name: 'EVENTS', subjects: ['events.>', 'probe.events'] });
    await streams.update('EVENTS', { sealed: true } as object);
    await connection.close();
    await restarted(before);
    expect(platform.output).toMatch(/nats runs but does not work: it stores no messages \(the stream EVENTS: .*sealed/);
  }, 120_000);
});
