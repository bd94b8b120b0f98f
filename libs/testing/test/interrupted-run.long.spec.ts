import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProcess, isAlive } from '@signalbox/servers';
import { eventually, ROOT } from '@signalbox/testing';

/** The parent of each process. */
function parents(): Map<number, number> {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return new Map(
    pids.flatMap((pid) => {
      try {
        const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ');
        return [[pid, Number(fields?.[1])] as const];
      } catch {
        return [];
      }
    }),
  );
}

/** A process and all that it has started. */
function familyOf(pid: number): number[] {
  const all = parents();
  const family = [pid];
  for (const one of family) family.push(...[...all].filter(([, parent]) => parent === one).map(([child]) => child));
  return family;
}

const names = (pids: number[]): string => pids.map((pid) => findProcess(pid)?.command[0] ?? '').join(' ');

it.each(['SIGINT', 'SIGTERM'] as const)(
  'a run of tests that is ended by %s leaves no server running',
  async (signal) => {
    const files = ['libs/bus/dist/test/work.spec', 'libs/bus/dist/test/jobs.spec'];
    const { LONG_TESTS: _, ...env } = process.env;
    const run = spawn(process.execPath, [join(ROOT, 'tools/test.mjs'), '--maxWorkers=2', ...files], {
      stdio: 'ignore',
      env,
    });
    let family: number[] = [];
    await eventually(
      'both files have their servers',
      () => {
        family = familyOf(run.pid ?? 0);
        return ['nats-server', 'bin/postgres'].every((name) => names(family).split(name).length > 2);
      },
      60_000,
    );
    run.kill(signal);
    await once(run, 'exit');
    await eventually('all of them have ended', () => family.filter(isAlive).length === 0);
  },
  120_000,
);
