import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { networkInterfaces, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Jail, type JailLevel, strongestJail } from '../src/pool/jail.js';

/** Hostile code of Node, as if an engine and Node's permissions had been broken; it must not find any of this. */
const INTRUDER = fileURLToPath(new URL('./corpus/breach/intruder.js', import.meta.url));
const CANARY = 'canary-of-the-operator';

interface Found {
  files: string[];
  environment: string;
  processes: string[];
  signals: boolean;
  listed: string[];
  writable: string[];
  programs: string[];
  devices: string[];
  connections: string[];
}

let folder: string;
let jail: Jail;
let servers: Server[];
let operator: ChildProcess;
let plan: object;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'breach-'));
  const key = join(folder, 'master-key');
  writeFileSync(key, CANARY, { mode: 0o644 });
  const socket = join(folder, 'socket');
  servers = [createServer().listen(0, '0.0.0.0'), createServer().listen(socket)];
  await Promise.all(servers.map((server) => once(server, 'listening')));
  // In place of a runner: its environment has the login to the bus.
  operator = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { env: { CANARY } });
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  plan = {
    files: [key, '/etc/passwd', '/etc/hostname', '/proc/1/environ', fileURLToPath(import.meta.url)],
    runner: operator.pid,
    port: (servers[0]?.address() as { port: number }).port,
    addresses: own.filter(({ family }) => family === 'IPv4').map(({ address }) => address),
    socket,
    folders: [folder],
  };
  jail = strongestJail(INTRUDER, [dirname(INTRUDER), join(dirname(INTRUDER), '../../../../package.json')]);
});
afterAll(() => {
  operator.kill('SIGKILL');
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What the intruder finds behind these programs. */
function found(wrappers: string[], cwd = '/'): Found {
  const [first = '', ...rest] = [...wrappers, process.execPath, INTRUDER, JSON.stringify(plan)];
  const { stdout, stderr } = spawnSync(first, rest, { env: {}, cwd, encoding: 'utf8', timeout: 60_000 });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as Found;
}

/** What this machine permits: namespaces to a user who may administrate it. */
function permitted(): JailLevel | null {
  const ADMIN = 1n << 21n;
  const capabilities = /^CapEff:\s+(\w+)$/m.exec(readFileSync('/proc/self/status', 'latin1'))?.[1] ?? '0';
  return (BigInt(`0x${capabilities}`) & ADMIN) !== 0n ? 'isolated' : null;
}

describe('code that has broken out of its engine', () => {
  it('finds everything without a jail: the intruder works', () => {
    const { files, environment, signals, programs, connections } = found([]);
    expect(files).toContain(`${folder}/master-key`);
    expect([environment, signals]).toEqual([`CANARY=${CANARY}\0`, true]);
    expect(programs).toContain('/bin/sh');
    expect(connections).toEqual(expect.arrayContaining(['127.0.0.1', `${folder}/socket`]));
  });

  it('is in the jail that this machine permits', () => {
    if (process.platform !== 'linux') return;
    expect(jail.level).toBe(permitted() ?? jail.level);
  });

  it('reads nothing of the operator, connects nowhere, and sees no other process, in the jail', () => {
    const seen = found(jail.commandOf(7));
    if (jail.level === 'isolated') {
      expect(seen).toMatchObject({ files: [], writable: [], programs: [], devices: [] });
      expect(seen.listed.filter((name) => ['etc', 'proc', 'root', 'home', 'tmp', 'var'].includes(name))).toEqual([]);
    }
    if (['isolated', 'namespaces'].includes(jail.level))
      expect(seen).toMatchObject({ environment: '', signals: false, processes: [], connections: [] });
    else if (jail.level === 'user') expect(seen).toMatchObject({ environment: '', signals: false, writable: [] });
  });
});
