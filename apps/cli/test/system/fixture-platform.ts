import { spawn, type ChildProcess } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { endProcess, findProcesses, freePort } from '@signalbox/servers';
import { copyEmptyCluster, timeScale } from '@signalbox/testing';
import type { Endpoints } from '../../src/launcher/data-directory.js';
import { type Service, SERVICES } from '../../src/launcher/services.js';

const LAUNCHER = fileURLToPath(new URL('fixture-launcher.js', import.meta.url));

/** A schema without further migrations: the module records each run with the process and its environment. */
const schemaOf = (name: string): string => `
import { appendFileSync } from 'node:fs';
appendFileSync(new URL('../migrations.txt', import.meta.url), JSON.stringify({ pid: process.pid, env: process.env }) + '\\n');
export const schema = { service: '${name}', migrations: [] };
`;

/** A service without contracts: it records its environment, and reports `ready`. */
const PROGRAM = `
const { existsSync, writeFileSync } = require('node:fs');
const note = (name) => require('node:path').join(__dirname, name);
if (existsSync(note('broken'))) {
  console.error('this service is broken');
  process.exitCode = 3;
} else {
  writeFileSync(note('environment.json'), JSON.stringify(process.env));
  process.on('SIGTERM', () => process.exit(0));
  process.on('disconnect', () => undefined);
  setInterval(() => undefined, 1000);
  process.send('ready');
}
`;

/** One launched platform with fixture services in a temporary directory. */
export class FixturePlatform {
  output = '';
  private child: ChildProcess | null = null;

  private constructor(
    readonly home: string,
    readonly port: number,
    readonly services: Service[],
  ) {}

  static async create(): Promise<FixturePlatform> {
    const home = await mkdtemp(join(tmpdir(), 'launcher-'));
    const service = (name: string, database: boolean): Service => ({
      name,
      dir: join(home, name),
      program: join(home, name, 'dist/src/main.js'),
      database,
      keys: name === 'agents' ? [] : ['KEY_PEPPER'],
      objects: false,
      completions: false,
      entrance: !database,
    });
    const services = [service('gateway', false), service('accounts', true), service('agents', true)];
    const platform = new FixturePlatform(home, await freePort(), services);
    // No service here creates companies, so the first boot of this platform is marked as done.
    await mkdir(platform.dataDir, { mode: 0o711 });
    await writeFile(join(platform.dataDir, 'admin-key'), 'no key');
    // As a former start left it; `real` makes its own.
    await copyEmptyCluster(join(platform.dataDir, 'postgres'));
    for (const { name } of services) {
      await mkdir(join(home, name, 'dist/src/migrations'), { recursive: true });
      await writeFile(platform.file(name, 'main.js'), PROGRAM);
      await writeFile(platform.file(name, 'migrations/index.js'), schemaOf(name));
      await writeFile(platform.file(name, 'migrations/package.json'), '{ "type": "module" }');
    }
    return platform;
  }

  /** The platform with some of its real services. */
  static async real(names: string[]): Promise<FixturePlatform> {
    const home = await mkdtemp(join(tmpdir(), 'launcher-'));
    const services = SERVICES.filter(({ name }) => names.includes(name));
    return new FixturePlatform(home, await freePort(), services);
  }

  get dataDir(): string {
    return join(this.home, 'data');
  }

  file(service: string, name: string): string {
    return join(this.home, service, 'dist/src', name);
  }

  read(service: string, name: string): Promise<string> {
    return readFile(this.file(service, name), 'utf8');
  }

  launch(environment: Record<string, string> = {}): ChildProcess {
    this.output = '';
    const child = spawn(process.execPath, [LAUNCHER, JSON.stringify(this.services)], {
      env: { PATH: dirname(process.execPath), DATA_DIR: this.dataDir, PORT: String(this.port), ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream!.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    }
    return child;
  }

  async start(environment?: Record<string, string>): Promise<void> {
    this.child = this.launch(environment);
    await this.until(() => this.output.includes('Signalbox is ready'), 60_000);
  }

  async until(happened: () => boolean | Promise<boolean>, limitMs = 30_000): Promise<void> {
    const began = Date.now();
    while (!(await happened())) {
      if (Date.now() - began > limitMs * timeScale())
        throw new Error(`the condition was not met; the launcher printed:\n${this.output}`);
      await sleep(50);
    }
  }

  async pid(name: string): Promise<number | null> {
    const text = await readFile(join(this.dataDir, 'run', `${name}.pid`), 'utf8').catch(() => '');
    return text === '' ? null : Number(text);
  }

  async endpoints(): Promise<Endpoints> {
    return JSON.parse(await readFile(join(this.dataDir, 'run/endpoints.json'), 'utf8')) as Endpoints;
  }

  /** Every process that works on this platform's directory. */
  processes(): number[] {
    const ours = findProcesses(
      ({ command, directory }) =>
        (directory?.startsWith(this.home) ?? false) || command.some((word) => word.includes(this.home)),
    );
    return ours.map(({ pid }) => pid);
  }

  /** The exit code of the launcher once it has ended by itself. */
  exited(): Promise<number | null> {
    return new Promise((resolve) => this.child?.once('exit', resolve));
  }

  async signal(name: NodeJS.Signals): Promise<number | null> {
    const child = this.child;
    if (child === null) return null;
    if (child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill(name);
      await ended;
    }
    return child.exitCode;
  }

  async remove(): Promise<void> {
    await this.signal('SIGTERM');
    await Promise.all(this.processes().map((pid) => endProcess(pid, 'SIGKILL')));
    await rm(this.home, { recursive: true, force: true });
  }
}
