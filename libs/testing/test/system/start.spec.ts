import { spawn, type ChildProcess } from 'node:child_process';
import { openSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '@signalbox/servers';
import { entryOf, eventually, ROOT, serviceEnv, startServers, type TestServers, timeScale } from '@signalbox/testing';

/** An accounts service that may be started while none of its dependencies is available. */
class Accounts {
  /** How the process ended. */
  readonly ended: Promise<string>;

  private constructor(
    private readonly child: ChildProcess,
    private readonly port: number,
    private readonly logFile: string,
  ) {
    this.ended = new Promise((resolve) => child.once('exit', (code, by) => resolve(by ?? `exit code ${code}`)));
  }

  static async start(servers: TestServers, command: string[], label: string): Promise<Accounts> {
    const [port, logFile] = [await freePort(), join(servers.dir, 'logs', `${label}.log`)];
    const log = openSync(logFile, 'a');
    const [program = '', ...words] = command;
    const env = serviceEnv(servers, 'accounts', 3000, { HEALTH_PORT: String(port) });
    const child = spawn(program, words, { env, stdio: ['ignore', log, log] });
    return new Accounts(child, port, logFile);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  lines(text: string): number {
    return readFileSync(this.logFile, 'utf8').split(text).length - 1;
  }

  /** The status and body of a path of the health port; null while the port is closed. */
  async ask(path: string): Promise<string | null> {
    const response = await fetch(`http://127.0.0.1:${this.port}${path}`).catch(() => null);
    return response && `${response.status} ${await response.text()}`;
  }

  /** Sends a signal to the process (or the one that has it as its own PID 1) and returns how it ended. */
  async end(signal: NodeJS.Signals, pid = this.pid): Promise<string> {
    process.kill(pid, signal);
    return this.ended;
  }

  async kill(): Promise<void> {
    const { child } = this;
    if (child.exitCode !== null || child.signalCode !== null) return;
    await this.end('SIGKILL');
  }
}

const COMMAND = [process.execPath, entryOf('accounts')];
let servers: TestServers;
const started: Accounts[] = [];
beforeAll(async () => {
  servers = await startServers({ migrated: true });
}, 90_000);
afterEach(() => Promise.all(started.splice(0).map((service) => service.kill())));
afterAll(() => servers?.stop());

const start = async (label: string, command = COMMAND): Promise<Accounts> => {
  const service = await Accounts.start(servers, command, label);
  started.push(service);
  return service;
};

describe('a service', () => {
  it('that starts while Postgres and the bus are away waits for both, visibly, and then serves', async () => {
    await Promise.all([servers.nats.stop(), servers.postgres.stop('fast')]);
    const service = await start('both-away');
    await eventually('it waits for the bus', () => service.lines('the bus is not available yet') >= 3);
    expect(await service.ask('/healthz')).toBe('200 {"status":"ok"}');
    expect(await service.ask('/readyz')).toMatch(
      /^503 {"status":"starting","waits_for":\["the bus: .*"the database: .*"\]}$/,
    );
    expect(service.lines('ECONNREFUSED')).toBeGreaterThan(0);
    await servers.restartNats({ forget: false });
    // The retries continue for more than ten seconds.
    await eventually(
      'it waits for the database',
      () => service.lines('the database is not available yet') >= 7,
      60_000,
    );
    expect(await service.ask('/readyz')).toMatch(/^503 {"status":"starting","waits_for":\["the database: .*"\]}$/);
    await servers.restartPostgres('fast');
    await eventually('it is ready', async () => (await service.ask('/readyz')) === '200 {"status":"ok"}');
    expect(await service.ask('/metrics')).toContain('signalbox_log_lines_dropped_total 0');
    expect(await service.end('SIGTERM')).toBe('exit code 0');
  }, 120_000);

  it('stops at once on a signal while it waits for the bus', async () => {
    await servers.nats.stop();
    const service = await start('stopped-early');
    await eventually('it waits for the bus', () => service.lines('the bus is not available yet') >= 1);
    const began = Date.now();
    expect(await service.end('SIGTERM')).toBe('exit code 0');
    expect(Date.now() - began).toBeLessThan(5000 * timeScale());
    await servers.restartNats({ forget: false });
  }, 60_000);

  it('stays healthy while Postgres is away, so that it keeps its traffic', async () => {
    const service = await start('database-lost');
    await eventually('it is ready', async () => (await service.ask('/readyz')) === '200 {"status":"ok"}');
    await servers.postgres.stop('fast');
    expect(await service.ask('/readyz')).toBe('200 {"status":"ok"}');
    await servers.restartPostgres('fast');
  }, 60_000);

  it('that cannot use its settings names them and exits with a non-zero code', async () => {
    const service = await start('bad-settings', ['/usr/bin/env', 'KEY_PEPPER=short', 'LOG_LEVEL=loud', ...COMMAND]);
    expect(await service.ended).toMatch(/^exit code [1-9]/);
    expect(service.lines('KEY_PEPPER must be')).toBe(1);
    expect(service.lines('LOG_LEVEL must be')).toBe(1);
  }, 60_000);
});

/** The processes whose parent is the given one. */
const childrenOf = (pid: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return new RegExp(`^PPid:\\s${pid}$`, 'm').test(readFileSync(`/proc/${name}/status`, 'utf8'));
      } catch {
        return false;
      }
    })
    .map(Number);

/** Prints a line at the moment in which a process sets its first handler of SIGTERM. */
const SEEN = 'handles SIGTERM';
const WATCH = `process.on('newListener', (name) => name === 'SIGTERM' && console.log('${SEEN}'))`;

const unshare = ['unshare', '--pid', '--fork', '--kill-child'];
const mayUnshare = (): Promise<boolean> =>
  new Promise((resolve) => {
    const [program = '', ...words] = unshare;
    spawn(program, [...words, 'true'], { stdio: 'ignore' })
      .once('exit', (code) => resolve(code === 0))
      .once('error', () => resolve(false));
  });

describe('the container command as PID 1', () => {
  it('honours SIGTERM before its program is loaded', async () => {
    if (!(await mayUnshare())) return process.emitWarning('skipped: no PID namespaces may be made here');
    const bin = join(ROOT, 'apps/cli/bin/signalbox.mjs');
    const node = [process.execPath, '--import', `data:text/javascript,${WATCH}`];
    const service = await start('first-process', [...unshare, ...node, bin, 'service', 'accounts']);
    await eventually('it handles SIGTERM', () => service.lines(SEEN) > 0);
    const inner = childrenOf(service.pid)[0] ?? 0;
    expect(service.lines('ready')).toBe(0);
    const ended = await service.end('SIGTERM', inner);
    expect(ended).toMatch(/^exit code (0|143)$/);
  }, 60_000);
});
