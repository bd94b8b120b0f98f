import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ROOT } from '@signalbox/testing';

const STRACE = '/usr/bin/strace';

/** Files that Node and the program around the interpreter read, while they start or later. */
const OWN_PATHS = [
  ROOT,
  dirname(process.execPath),
  '/proc/self/',
  '/proc/meminfo',
  '/proc/version_signature',
  '/proc/sys/',
  '/sys/fs/cgroup/',
  '/sys/devices/system/',
  '/sys/kernel/mm/',
  '/dev/null',
  '/dev/urandom',
  '/lib',
  '/usr/lib',
  '/usr/share/',
  '/usr/local/ssl/',
  '/etc/ld.so',
  '/etc/ssl/openssl.cnf',
  '/etc/localtime',
];

const PATH = /"(\/[^"]*)"/;
const NETWORK = /^(socket|connect|bind|listen|accept4?|send(to|msg|mmsg)|recv(from|msg|mmsg))\(/;
const PROCESS = /^(execveat|execve|fork|vfork)\(|^clone3?\((?!.*CLONE_THREAD)/;

/** What a system call in the output of strace has done that no script may cause; null for one that is expected. */
export function breachOf(line: string): string | null {
  const call = line.replace(/^\d+ +/, '').replace(/^<\.\.\. (\w+) resumed>/, '$1(');
  if (NETWORK.test(call) || PROCESS.test(call)) return call.slice(0, 200);
  // Its own folder is the result of this call, not its argument.
  const path = call.startsWith('getcwd(') ? undefined : PATH.exec(call)?.[1];
  // Folders above its own program are looked at while it starts.
  const isOwn = path === undefined || OWN_PATHS.some((own) => path.startsWith(own) || own.startsWith(`${path}/`));
  return isOwn || path === '/' ? null : call.slice(0, 200);
}

/** Follows the system calls of processes about files, network and processes, where strace is installed. */
export class SystemCalls {
  static readonly isInstalled = existsSync(STRACE);
  private readonly followed = new Map<ChildProcess, string>();

  constructor(private readonly directory: string) {}

  follow(pid: number): void {
    const file = join(this.directory, `${pid}.strace`);
    const options = ['-f', '-qq', '-e', 'trace=%file,%network,%process', '-e', 'signal=none', '-o', file];
    this.followed.set(spawn(STRACE, [...options, '-p', String(pid)], { stdio: 'ignore' }), file);
  }

  /** The number of processes whose calls were recorded. */
  get count(): number {
    return [...this.followed.values()].filter((file) => existsSync(file)).length;
  }

  /** Waits until the processes have ended, which the caller causes; the calls that are breaches. */
  async breaches(): Promise<string[]> {
    const running = [...this.followed.keys()].filter((each) => (each.exitCode ?? each.signalCode) === null);
    await Promise.all(running.map((each) => once(each, 'exit')));
    const files = [...this.followed.values()].filter((file) => existsSync(file));
    const lines = files.flatMap((file) => readFileSync(file, 'utf8').split('\n').filter(Boolean));
    return [...new Set(lines.map(breachOf).filter((breach) => breach !== null))];
  }
}
