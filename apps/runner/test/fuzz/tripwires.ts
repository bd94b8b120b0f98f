import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { dirname } from 'node:path';
import { findProcess } from '@signalbox/servers';
import { ROOT } from '@signalbox/testing';

const PROGRAM = `${ROOT}apps/runner/dist/src/child/main.js`;

/** Files that the process around the interpreter has open while it starts. */
const OWN_FILES = [
  ROOT,
  dirname(process.execPath),
  '/dev/null',
  '/dev/urandom',
  '/etc/ssl/openssl.cnf',
  '/proc/sys/vm/overcommit_memory',
  // Its own: it is the first process of its namespace.
  '/proc/1/maps',
  // Node reads its limit of memory from the group that /proc/self/cgroup names.
  '/proc/1/cgroup',
  '/sys/fs/cgroup/',
  '/usr/lib/',
  '/lib/',
  // Read by the loader of each program, also of Node itself.
  '/etc/ld.so.cache',
  '/usr/share/',
];
/** Where the file system of a jail is, seen from outside. */
const JAIL_ROOT = /^.*\/scripts-root-[\w-]+\/root(?=\/)/;
/** Its standard input, output and error are socket pairs to its parent. */
const LAST_STANDARD_FD = 2;

/** Tables of open sockets in the network namespace of a process. */
const SOCKET_TABLES = ['tcp', 'tcp6', 'udp', 'udp6', 'raw', 'raw6', 'unix', 'packet'];

const read = <T>(reading: () => T, otherwise: T): T => {
  try {
    return reading();
  } catch {
    // The process has ended meanwhile.
    return otherwise;
  }
};

const list = (folder: string): string[] => read(() => readdirSync(folder), []);
const textOf = (file: string): string => read(() => readFileSync(file, 'latin1'), '');

/** The processes that the threads of a process have started. */
const childrenOf = (pid: number): number[] =>
  list(`/proc/${pid}/task`).flatMap((thread) =>
    textOf(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  );

const descendantsOf = (pid: number): number[] => childrenOf(pid).flatMap((child) => [child, ...descendantsOf(child)]);

/** The processes of scripts of a runner, without the programs that jail them. */
export const scriptProcesses = (runner: number): number[] =>
  descendantsOf(runner).filter((pid) => {
    const command = findProcess(pid)?.command ?? [];
    return command[0] === process.execPath && command.includes(PROGRAM);
  });

const openFiles = (pid: number): string[] =>
  list(`/proc/${pid}/fd`)
    .filter((fd) => Number(fd) > LAST_STANDARD_FD)
    .map((fd) => read(() => readlinkSync(`/proc/${pid}/fd/${fd}`), '').replace(JAIL_ROOT, ''));

const openSockets = (pid: number): number =>
  SOCKET_TABLES.reduce((sum, table) => {
    const lines = textOf(`/proc/${pid}/net/${table}`).split('\n').filter(Boolean);
    return sum + Math.max(0, lines.length - 1);
  }, 0);

/**
 * What a process of a script has that it must not have, seen from outside by /proc: an open file, a socket, a process
 * that it started, and in a jail with namespaces a socket of any process and a privilege.
 */
export function breachesOf(pid: number, isJailed: boolean): string[] {
  const files = openFiles(pid);
  const found = [
    ...files.filter((file) => file.startsWith('socket:')).map(() => 'a socket'),
    ...files
      .filter((file) => file.startsWith('/') && !OWN_FILES.some((own) => file.startsWith(own)))
      .map((file) => `the file ${file}`),
    ...childrenOf(pid).map(() => 'a process'),
  ];
  const status = textOf(`/proc/${pid}/status`);
  if (!isJailed || status === '') return found;
  if (openSockets(pid) > 0) found.push('a socket in its namespace');
  if (!/^CapEff:\s+0+$/m.test(status)) found.push('a capability');
  if (!/^NoNewPrivs:\s+1$/m.test(status)) found.push('the right to gain privileges');
  return found;
}

/** Looks at all processes of scripts of a runner again and again. */
export class Tripwires {
  readonly breaches = new Set<string>();
  /** Processes that were seen, and how often one was looked at. */
  readonly seen = new Set<number>();
  looks = 0;
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly runner: number,
    private readonly isJailed: boolean,
    everyMs: number,
    private readonly appeared: (pid: number) => void = () => undefined,
  ) {
    this.timer = setInterval(() => this.look(), everyMs);
  }

  stop(): void {
    clearInterval(this.timer);
    this.look();
  }

  private look(): void {
    for (const pid of scriptProcesses(this.runner)) {
      if (!this.seen.has(pid)) this.appeared(pid);
      this.seen.add(pid);
      this.looks++;
      for (const breach of breachesOf(pid, this.isJailed)) this.breaches.add(breach);
    }
  }
}
