import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Read from /proc and checked before a signal is sent to a process that is not a child. */
export interface RunningProcess {
  pid: number;
  command: string[];
  directory: string | null;
  environment: string[];
}

function read<T>(reading: () => T, otherwise: T): T {
  try {
    return reading();
  } catch {
    return otherwise;
  }
}

function zeroSeparated(path: string): string[] {
  return read(() => readFileSync(path, 'utf8').split('\0').slice(0, -1), []);
}

/** A zombie counts as ended. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
  const stat = read(() => readFileSync(`/proc/${pid}/stat`, 'utf8'), '');
  return !/^\d+ \(.*\) [ZX] /s.test(stat);
}

export function findProcess(pid: number): RunningProcess | null {
  const command = zeroSeparated(`/proc/${pid}/cmdline`);
  if (command.length === 0 || !isAlive(pid)) return null;
  return {
    pid,
    command,
    directory: read(() => readlinkSync(`/proc/${pid}/cwd`), null),
    environment: zeroSeparated(`/proc/${pid}/environ`),
  };
}

export function findProcesses(isOurs: (candidate: RunningProcess) => boolean): RunningProcess[] {
  return read(() => readdirSync('/proc'), [] as string[])
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((name) => findProcess(Number(name)))
    .filter((candidate): candidate is RunningProcess => candidate !== null && isOurs(candidate));
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}

async function gone(pid: number, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  while (isAlive(pid)) {
    if (Date.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}

/** For a process that is not a child: SIGKILL after the time limit. */
export async function endProcess(pid: number, polite: NodeJS.Signals = 'SIGTERM', patienceMs = 5000): Promise<void> {
  signal(pid, polite);
  if (await gone(pid, patienceMs)) return;
  signal(pid, 'SIGKILL');
  if (!(await gone(pid, 5000))) throw new Error(`process ${pid} does not end, not even by SIGKILL`);
}
