import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@signalbox/servers';
import { ROOT } from '@signalbox/testing';
import type { Bench, Sizes } from '../bench.js';
import { memoryMb } from '../measure/memory.js';
import { reportAlone, type Verdict } from '../measure/report.js';

/** It fails what hangs; a busy machine takes minutes. */
const LIMIT_MS = 600_000;

/** How long the platform is idle before its memory is read, and the pause between two requests for its readiness. */
interface Waits {
  idleMs: number;
  pollMs: number;
}

interface Started {
  seconds: number;
  idleMb: number;
}

/** True once the gateway reports every service, Postgres and NATS as ok. */
async function isReady(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(10_000) })).status === 200;
  } catch {
    return false;
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 30_000);
  await exit;
  clearTimeout(timer);
}

/** One `npm start` as its shell sees it: until the first 200, then idle for a while. */
async function startOnce(dataDir: string, { idleMs, pollMs }: Waits): Promise<Started> {
  const port = await freePort();
  const env = { ...process.env, DATA_DIR: dataDir, PORT: String(port) };
  const began = performance.now();
  const child = spawn('npm', ['start', '--silent'], { cwd: ROOT, env, stdio: 'ignore' });
  try {
    while (!(await isReady(port))) {
      if (child.exitCode !== null) throw new Error(`npm start ended with ${child.exitCode}`);
      if (performance.now() - began > LIMIT_MS) throw new Error('npm start gave no 200 within ten minutes');
      await sleep(pollMs);
    }
    const seconds = (performance.now() - began) / 1000;
    await sleep(idleMs);
    return { seconds, idleMb: memoryMb([child.pid ?? 0]) };
  } finally {
    await end(child);
  }
}

/** P18: the cost of an idle platform. */
export const start: Bench = {
  name: 'start',
  description: 'P18: seconds of npm start to the first 200, and the memory of the idle platform with Postgres and NATS',
  async run({ tiny, rounds }: Sizes): Promise<Verdict[]> {
    const dataDir = await mkdtemp(join(tmpdir(), 'signalbox-bench-'));
    const waits = tiny ? { idleMs: 0, pollMs: 100 } : { idleMs: 10_000, pollMs: 10 };
    try {
      const first = await startOnce(dataDir, waits);
      // One start shows that the bench works.
      const again: Started[] = tiny ? [first] : [];
      for (let round = 0; round < rounds && !tiny; round++) again.push(await startOnce(dataDir, waits));
      const time = { id: 'P18', unit: 's', better: 'less', must: 8, aim: 4 } as const;
      const memory = { id: 'P18', unit: 'MB', better: 'less', must: 900, aim: 500 } as const;
      return [
        reportAlone({ ...time, what: 'npm start to first 200, very first start' }, [first.seconds]),
        reportAlone(
          { ...time, what: 'npm start to first 200, with data' },
          again.map(({ seconds }) => seconds),
        ),
        reportAlone(
          { ...memory, what: 'memory of the idle platform' },
          again.map(({ idleMb }) => idleMb),
        ),
      ];
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};
