import type { ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface ServerProblem {
  /** A clause after the name of the server, such as `it stores no messages (…)`. */
  text: string;
  restartHelps: boolean;
}

/** Also when the child could not be started; an error of a later signal or message ends nothing. */
export function exitOf(child: ChildProcess): Promise<Exit> {
  return new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    child.on('error', () => {
      if (child.pid === undefined) resolve({ code: null, signal: null });
    });
  });
}

export function unrefChild(child: ChildProcess): void {
  child.unref();
  (child.stderr as Socket | null)?.unref();
}

/** Sends each signal with its time limit, finally SIGKILL; resolves only when the child has ended. */
export async function stopChild(
  child: ChildProcess,
  exited: Promise<Exit>,
  steps: { signal: NodeJS.Signals; patienceMs: number }[],
): Promise<void> {
  for (const { signal, patienceMs } of steps) {
    child.kill(signal);
    const clock = new AbortController();
    const waiting = sleep(patienceMs, false, { signal: clock.signal }).catch(() => true);
    const ended = await Promise.race([exited.then(() => true), waiting]);
    clock.abort();
    if (ended) return;
  }
  child.kill('SIGKILL');
  await exited;
}
