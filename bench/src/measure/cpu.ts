import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

const TICKS_PER_SECOND = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

interface Stat {
  pid: number;
  parent: number;
  /** Ticks of the process itself and of its children that have ended. */
  ticks: number;
}

function statOf(pid: number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command name may contain spaces and brackets; everything after the last bracket is numbers.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const at = (index: number): number => Number(fields[index]);
    return { pid, parent: at(1), ticks: at(11) + at(12) + at(13) + at(14) };
  } catch {
    return null;
  }
}

/** All processes of the machine. */
function statsOfAll(): Map<number, Stat> {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const stats = pids.map((pid) => statOf(Number(pid))).filter((stat) => stat !== null);
  return new Map(stats.map((stat) => [stat.pid, stat]));
}

function descendantsIn(all: ReadonlyMap<number, Stat>, roots: readonly number[]): number[] {
  const found = new Set(roots);
  for (let before = 0; before !== found.size;) {
    before = found.size;
    for (const { pid, parent } of all.values()) if (found.has(parent)) found.add(pid);
  }
  return [...found];
}

function secondsIn(all: ReadonlyMap<number, Stat>, roots: readonly number[]): number {
  const ticks = descendantsIn(all, roots).map((pid) => all.get(pid)?.ticks ?? 0);
  return ticks.reduce((sum, value) => sum + value, 0) / TICKS_PER_SECOND;
}

/** The processes and all their descendants that live now. */
export const treeOf = (roots: readonly number[]): number[] => descendantsIn(statsOfAll(), roots);

/** CPU seconds that the processes and their descendants have used so far, user and system. */
export const cpuSeconds = (roots: readonly number[]): number => secondsIn(statsOfAll(), roots);

/** The same for each of several processes; all processes of the machine are read once. */
export function cpuSecondsByName(roots: ReadonlyMap<string, number>): Map<string, number> {
  const all = statsOfAll();
  return new Map([...roots].map(([name, pid]) => [name, secondsIn(all, [pid])]));
}
