import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DiscardPolicy, jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import {
  findNatsServer,
  isAlive,
  renderNatsConfig,
  startNats,
  type NatsServer,
  type NatsUser,
} from '@signalbox/servers';
import { answersPing } from '../src/nats-probe.js';

/** Stops a process; resolves when each of its threads is stopped, which takes a moment after the signal. */
async function stopped(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  const threads = async (): Promise<string[]> => {
    const ids = await readdir(`/proc/${pid}/task`);
    return Promise.all(ids.map((id) => readFile(`/proc/${pid}/task/${id}/stat`, 'utf8')));
  };
  // The state follows the name of the program in brackets.
  while (!(await threads()).every((line) => / T /.test(line.slice(line.lastIndexOf(')'))))) await delay(5);
}

const USERS: NatsUser[] = [
  { user: 'admin', password: 'admin', permissions: { publish: ['>'], subscribe: ['>'] } },
  { user: 'writer', password: 'first', permissions: { publish: ['a.>'], subscribe: ['_INBOX.>'] } },
  {
    user: 'reader',
    password: 'second "quoted"',
    permissions: { publish: [], subscribe: ['a.>'], allowResponses: { max: 1, expires: '1m' } },
  },
];

describe('the nats-server', () => {
  let home: string;
  let server: NatsServer | null = null;
  const start = async (port?: number) =>
    (server = await startNats({
      storeDir: join(home, 'nats'),
      configFile: join(home, 'nats.conf'),
      logFile: join(home, 'nats.log'),
      users: USERS,
      streams: ['EVENTS', 'AUDIT'],
      port,
    }));

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'servers-'));
  });
  afterEach(async () => {
    await server?.stop();
    server = null;
  });
  afterAll(() => rm(home, { recursive: true, force: true }));

  it('accepts its users, each with their own password, and no other client', async () => {
    const { port } = await start();
    expect(await answersPing(port, { user: 'writer', password: 'first' })).toBe(true);
    expect(await answersPing(port, { user: 'reader', password: 'second "quoted"' })).toBe(true);
    expect(await answersPing(port, { user: 'reader', password: 'first' })).toBe(false);
    expect(await answersPing(port, { user: '', password: '' })).toBe(false);
    expect((await stat(join(home, 'nats.conf'))).mode & 0o777).toBe(0o600);
  });

  it('restarts on the same port after a kill, and stops without leaving a process', async () => {
    const first = await start();
    process.kill(first.pid, 'SIGKILL');
    await first.exited;
    const second = await start(first.port);
    expect(second.port).toBe(first.port);
    await second.stop();
    expect(isAlive(second.pid)).toBe(false);
  });

  it('takes over from a server that a killed launcher left running', async () => {
    const orphan = await start();
    await start(orphan.port);
    expect(isAlive(orphan.pid)).toBe(false);
  });

  it('refuses a configuration without users', () => {
    const open = () => renderNatsConfig({ port: 1, storeDir: '/s', maxPayload: 1, users: [], anonymous: false });
    expect(open).toThrow(/without users/);
  });

  it('is not searched for when the executable is configured', () => {
    expect(() => findNatsServer({ binary: join(home, 'absent') })).toThrow(/NATS_SERVER_BIN names/);
  });

  it('is probed by storing a message, which detects failures that a pid and a ping do not', async () => {
    const running = await start();
    expect(await running.problem()).toBeNull();
    expect(await running.problem()).toBeNull();
    await stopped(running.pid);
    expect(await running.problem()).toEqual({
      text: 'it stores no messages (no reply within 3 s)',
      restartHelps: true,
    });
    process.kill(running.pid, 'SIGCONT');
    expect(await running.problem()).toBeNull();
  });

  it('is probed in each stream of its platform, where one that is missing or full is no failure', async () => {
    const running = await start();
    const connection = await connect({ servers: running.url, user: 'admin', pass: 'admin' });
    const { streams } = await jetstreamManager(connection);
    const probed = async () => {
      for (let probes = 0; probes < 5; probes++) {
        const problem = await running.problem();
        if (problem) return problem.text;
      }
      return null;
    };
    try {
      expect(await probed()).toBeNull();
      await streams.add({ name: 'EVENTS', subjects: ['probe.events'] });
      await streams.add({
        name: 'AUDIT',
        subjects: ['audit.>', 'probe.audit'],
        max_msgs: 1,
        discard: DiscardPolicy.New,
      });
      await connection.request('audit.1', 'an entry that no consumer has read');
      expect(await probed()).toBeNull();
      expect((await streams.info('EVENTS')).state).toMatchObject({ messages: 0, last_seq: 1 });
      expect((await streams.info('AUDIT')).state).toMatchObject({ messages: 1, last_seq: 1 });
      await streams.update('EVENTS', { sealed: true } as object);
      expect(await probed()).toMatch(/^it stores no messages \(the stream EVENTS: .*sealed/);
      expect((await running.problem())?.text).toContain('EVENTS');
      await streams.delete('EVENTS');
      expect(await probed()).toBeNull();
    } finally {
      await connection.close();
    }
  });
});
