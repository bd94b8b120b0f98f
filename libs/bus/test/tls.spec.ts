import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BusConnection } from '@signalbox/bus';
import { createLogger } from '@signalbox/platform';
import { findNatsServer, freePort, NATS_MAX_PAYLOAD, renderNatsConfig } from '@signalbox/servers';
import { type Authority, eventually, makeAuthority } from '@signalbox/testing';

const USER = { user: 'tester', password: 'secret', permissions: { publish: ['>'], subscribe: ['>'] } };

let dir: string;
let right: Authority;
let other: Authority;
let port: number;
let server: ChildProcess | undefined;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'signalbox-tls-'));
  [right, other] = [makeAuthority(dir, 'right'), makeAuthority(dir, 'other')];
  port = await freePort();
});
afterEach(() => {
  for (const name of ['NATS_CA_FILE', 'NATS_CERT_FILE', 'NATS_KEY_FILE']) delete process.env[name];
});
afterAll(async () => {
  await stop();
  rmSync(dir, { recursive: true, force: true });
});

async function start(tls: { certFile: string; keyFile: string; clientCaFile?: string }): Promise<void> {
  await stop();
  const config = join(dir, 'nats.conf');
  const common = { maxPayload: NATS_MAX_PAYLOAD, users: [USER], anonymous: false as const };
  writeFileSync(config, renderNatsConfig({ port, storeDir: join(dir, 'store'), ...common, tls }));
  server = spawn(findNatsServer(), ['-c', config], { stdio: 'ignore' });
}

async function stop(): Promise<void> {
  if (!server) return;
  const ended = once(server, 'exit');
  server.kill('SIGKILL');
  await ended;
  server = undefined;
}

const open = (host = 'localhost', scheme = 'tls'): Promise<BusConnection> =>
  BusConnection.open(`${scheme}://tester:secret@${host}:${port}`, 'tester', createLogger('tester', 'silent'), {
    whenAway: 'fail',
  });

/** Opens a connection once the server listens; the message of the error, or null. */
function refusal(host?: string, scheme?: string): Promise<string> {
  return eventually('the server answers', async () => {
    const message = await open(host, scheme).then(
      async (connection) => {
        await connection.close();
        return 'accepted';
      },
      (error: Error) => error.message,
    );
    return /connection refused|ECONNREFUSED/.test(message) ? null : message;
  });
}

describe('a bus over TLS', () => {
  it('is used with the authority of its certificate and under its name, and with no other', async () => {
    await start(right.issue('localhost'));
    process.env.NATS_CA_FILE = right.caFile;
    expect(await refusal()).toBe('accepted');
    // A file of an authority requires TLS, whatever the scheme says.
    expect(await refusal('localhost', 'nats')).toBe('accepted');
    process.env.NATS_CA_FILE = other.caFile;
    expect(await refusal()).toMatch(/unable to (verify|get)|self.signed/i);
    await start(right.issue('elsewhere.example'));
    process.env.NATS_CA_FILE = right.caFile;
    expect(await refusal()).toMatch(/altnames/);
  });

  it('asks for the certificate of the client where it is told to', async () => {
    await start({ ...right.issue('localhost'), clientCaFile: right.caFile });
    process.env.NATS_CA_FILE = right.caFile;
    expect(await refusal()).not.toBe('accepted');
    const { certFile, keyFile } = right.issue('client');
    [process.env.NATS_CERT_FILE, process.env.NATS_KEY_FILE] = [certFile, keyFile];
    expect(await refusal()).toBe('accepted');
  });

  it('is trusted by a renewed file from the next reconnect on', async () => {
    const caFile = join(dir, 'renewed.crt');
    copyFileSync(right.caFile, caFile);
    await start(right.issue('localhost'));
    process.env.NATS_CA_FILE = caFile;
    expect(await refusal()).toBe('accepted');
    const connection = await BusConnection.open(
      `tls://tester:secret@localhost:${port}`,
      'tester',
      createLogger('tester', 'silent'),
    );
    copyFileSync(other.caFile, caFile);
    await start(other.issue('localhost'));
    await eventually('the loss is noticed', () => !connection.isUp);
    await eventually('the connection is made again', () => connection.isUp);
    await connection.close();
  });
});
