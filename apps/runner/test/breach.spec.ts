import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { constants, networkInterfaces, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createSocket, type Socket } from 'node:dgram';
import { confinement, PERL } from '../src/pool/confinement.js';
import { JAIL_LEVELS, type JailLevel } from '../src/pool/jail.js';
import { ARCHITECTURES, DEPENDENT, MISSING, REFUSED } from '../src/pool/system-calls.js';

/** Hostile code of Node, as if an engine and Node's permissions had been broken; it must not find any of this. */
const INTRUDER = fileURLToPath(new URL('./corpus/breach/intruder.js', import.meta.url));
/** Says which jails a user may have. */
const JAILS = fileURLToPath(new URL('./corpus/breach/jails.js', import.meta.url));
const CANARY = 'canary-of-the-operator';
const READABLE = [dirname(INTRUDER), join(dirname(INTRUDER), '../../../../package.json')];

/** Users who may start a runner, with the programs that change to them. */
const USERS = [
  ['this user', []],
  ['an ordinary user', ['/usr/bin/setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']],
] as const;

interface PermittedJail {
  level: JailLevel;
  parts: string[];
  command: string[];
}

interface Found {
  files: string[];
  environment: string;
  memory: boolean;
  inherited: number[];
  limits: Record<string, { soft: unknown }>;
  processes: string[];
  signals: boolean;
  listed: string[];
  writable: string[];
  programs: string[];
  devices: string[];
  connections: string[];
}

let folder: string;
let servers: Server[];
let datagrams: Socket;
let operator: ChildProcess;
let plan: object;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'breach-'));
  chmodSync(folder, 0o755);
  const key = join(folder, 'master-key');
  writeFileSync(key, CANARY, { mode: 0o644 });
  const socket = join(folder, 'socket');
  servers = [createServer().listen(0, '0.0.0.0'), createServer().listen(socket)];
  datagrams = createSocket('udp4', (_, { port, address }) => datagrams.send('come in', port, address)).bind(0);
  await Promise.all([...servers, datagrams].map((server) => once(server, 'listening')));
  chmodSync(socket, 0o777);
  // In place of a runner: its environment has the login to the bus.
  operator = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { env: { CANARY } });
  const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  plan = {
    files: [key, '/etc/passwd', '/etc/hostname', '/proc/1/environ', fileURLToPath(import.meta.url)],
    runner: operator.pid,
    port: (servers[0]?.address() as { port: number }).port,
    datagramPort: datagrams.address().port,
    addresses: own.filter(({ family }) => family === 'IPv4').map(({ address }) => address),
    socket,
    folders: [folder],
  };
});
afterAll(() => {
  operator.kill('SIGKILL');
  for (const server of servers) server.close();
  datagrams.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The output of a program of Node behind others. */
function outputOf(wrappers: readonly string[], program: string, ...words: string[]): Promise<string> {
  const [first = '', ...rest] = [...wrappers, process.execPath, program, ...words];
  const child = spawn(first, rest, { env: {}, cwd: '/', timeout: 60_000 });
  const read = { out: '', error: '' };
  child.stdout.on('data', (chunk: Buffer) => (read.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (read.error += chunk.toString()));
  return new Promise((resolve, reject) =>
    child.once('close', () => (read.out === '' ? reject(new Error(read.error)) : resolve(read.out))),
  );
}

/** What the intruder finds behind these programs. */
const found = async (wrappers: readonly string[]): Promise<Found> =>
  JSON.parse(await outputOf(wrappers, INTRUDER, JSON.stringify(plan))) as Found;

const jailsOf = async (asUser: readonly string[]): Promise<PermittedJail[]> =>
  JSON.parse(await outputOf(asUser, JAILS, INTRUDER, ...READABLE)) as PermittedJail[];

/** What this machine permits: namespaces to a user who may administrate it. */
function permitted(): JailLevel | null {
  const ADMIN = 1n << 21n;
  const capabilities = /^CapEff:\s+(\w+)$/m.exec(readFileSync('/proc/self/status', 'latin1'))?.[1] ?? '0';
  return (BigInt(`0x${capabilities}`) & ADMIN) !== 0n ? 'isolated' : null;
}

const isAtLeast = (level: JailLevel, least: JailLevel): boolean =>
  JAIL_LEVELS.indexOf(level) >= JAIL_LEVELS.indexOf(least);

describe('code that has broken out of its engine', () => {
  it('finds everything without a jail: the intruder works', async () => {
    const seen = await found([]);
    expect(seen.files).toContain(`${folder}/master-key`);
    expect([seen.environment, seen.signals, seen.memory]).toEqual([`CANARY=${CANARY}\0`, true, true]);
    expect(seen.programs).toContain('/bin/sh');
    const { connections } = seen;
    expect(connections).toEqual(expect.arrayContaining(['127.0.0.1', 'datagrams of 127.0.0.1', `${folder}/socket`]));
    expect(seen.limits.core_file_size_blocks?.soft).not.toBe(seen.limits.open_files?.soft);
  });

  it('is in the jail that this machine permits', async () => {
    if (process.platform !== 'linux') return;
    const [strongest] = await jailsOf([]);
    expect(strongest?.level).toBe(permitted() ?? strongest?.level);
  });

  /** Each jail keeps what its level promises, and the weaker ones are in force on other machines. */
  it.each(USERS)(
    'finds no more than the level of its jail says, started by %s',
    async (_, asUser) => {
      if (process.platform !== 'linux') return;
      // Only root may become another user.
      const user = process.getuid?.() === 0 ? asUser : [];
      for (const { level, parts, command } of await jailsOf(user)) {
        if (level === 'none') continue;
        const seen = await found([...user, ...command]);
        const jail = `${level}: ${parts.join(', ')}`;
        const { limits, inherited, ...others } = seen;
        expect({ jail, inherited }).toEqual({ jail, inherited: [] });
        const { core_file_size_blocks: core, file_size_blocks: size, open_files: open, max_user_processes } = limits;
        expect([jail, core?.soft, size?.soft, open?.soft]).toEqual([jail, 0, 0, 128]);
        if (isAtLeast(level, 'user')) {
          expect({ jail, ...others }).toMatchObject({ jail, environment: '', signals: false, memory: false });
          // In a user namespace with the files of the machine the child has what the user of the runner may change.
          if (parts.includes('own user') || parts.includes('own files'))
            expect({ jail, writable: others.writable }).toEqual({ jail, writable: [] });
          // Without a user of its own the number of its threads is that of the runner's user.
          if (parts.some((part) => part.startsWith('own user') || part.startsWith('user namespace')))
            expect([jail, max_user_processes?.soft]).toEqual([jail, 128]);
        }
        if (isAtLeast(level, 'namespaces'))
          expect({ jail, ...others }).toMatchObject({
            jail,
            processes: [],
            // A socket in the file system is a file, which belongs to no namespace of the network.
            connections: others.connections.filter((each) => level === 'namespaces' && each.endsWith('/socket')),
          });
        if (isAtLeast(level, 'isolated')) {
          expect({ jail, ...others }).toMatchObject({ jail, files: [], programs: [], devices: [] });
          const ofMachine = ['etc', 'proc', 'root', 'home', 'tmp', 'var'];
          expect(others.listed.filter((name) => ofMachine.includes(name))).toEqual([]);
        }
      }
    },
    120_000,
  );

  describe('and executes machine code', () => {
    const processor = process.arch as keyof typeof ARCHITECTURES;
    const { at } = ARCHITECTURES[processor];
    const numbered = (calls: typeof REFUSED): [string, number][] =>
      Object.entries(calls).flatMap(([name, { [at]: number }]) => (number === undefined ? [] : [[name, number]]));

    /** The error codes of system calls with these numbers and arguments: in Perl, since Node has none of them. */
    function errorsOf(calls: readonly (readonly (number | string)[])[], wrappers: readonly string[]): number[] {
      const text = calls.map((each) => `[${each.map((value) => JSON.stringify(value)).join(',')}]`).join(',');
      const program = `for my $call (${text}) { my ($number, @values) = @$call; push @values, -1 while @values < 6;
        $! = 0; syscall($number, @values); print $!+0, "\\n"; }`;
      const [first = '', ...rest] = [...wrappers, PERL, '-e', program];
      const { stdout, stderr } = spawnSync(first, rest, { env: {}, cwd: '/', encoding: 'utf8', timeout: 60_000 });
      if (stderr !== '') throw new Error(stderr);
      return stdout.trim().split('\n').map(Number);
    }
    const withFilter = ['/usr/bin/setpriv', '--no-new-privs', ...(confinement([]) ?? [])];
    const { EPERM, ENOSYS, EACCES } = constants.errno;

    it('reaches no part of the kernel that an engine does not need', () => {
      const refused = numbered(REFUSED);
      const missing = numbered(MISSING);
      const errors = errorsOf(
        [...refused, ...missing].map(([, number]) => [number]),
        withFilter,
      );
      const expected = [...refused.map(([name]) => [name, EPERM]), ...missing.map(([name]) => [name, ENOSYS])];
      expect([...refused, ...missing].map(([name], index) => [name, errors[index]])).toEqual(expected);
    });

    it('writes no file, starts no process, and changes no limits of another process', () => {
      const [CURRENT_DIRECTORY, WRITE, CREATE, CHILD_SIGNAL, THREAD, NEW_USER] = [-100, 1, 64, 17, 0x10000, 0x10000000];
      const target = join(folder, 'written');
      const { [at]: open } = DEPENDENT.openat.numbers;
      const { [at]: clone } = DEPENDENT.clone.numbers;
      const { [at]: limit } = DEPENDENT.prlimit64.numbers;
      const calls = [
        [open, CURRENT_DIRECTORY, target, WRITE | CREATE, 0o600],
        [open, CURRENT_DIRECTORY, '/etc/hostname', 0],
        [clone, CHILD_SIGNAL, 0, 0, 0, 0],
        [clone, THREAD | NEW_USER, 0, 0, 0, 0],
        [limit, operator.pid ?? 0, 7, 0, 0],
        [limit, 0, 7, 0, 0],
      ];
      expect(errorsOf(calls, withFilter)).toEqual([EACCES, 0, EPERM, EPERM, EPERM, 0]);
      expect(existsSync(target)).toBe(false);
      // The same calls are permitted without the filter: two of them here, the others change what the test needs.
      expect(errorsOf([calls[0] ?? [], calls[4] ?? []], [])).toEqual([0, 0]);
      expect(existsSync(target)).toBe(true);
    });
  });
});
