// The CPU time of a process and all it has started: what a spec file costs, however busy the machine is.

import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks of /proc in a second; fixed on Linux for programs. */
const TICKS = 100;

/** `[pid, parent, ticks]` of a process, its reaped children included; undefined when it has ended meanwhile. */
function readProcess(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program is in parentheses and may contain some.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return [Number(pid), Number(fields[1]), fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0)];
  } catch {
    return undefined;
  }
}

/** CPU seconds of a process and its descendants so far; 0 where there is no /proc. */
export function cpuSeconds(root = process.pid) {
  let names;
  try {
    names = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  } catch {
    return 0;
  }
  const children = new Map();
  const ticksOf = new Map();
  for (const [pid, parent, ticks] of names.map(readProcess).filter(Boolean)) {
    ticksOf.set(pid, ticks);
    children.set(parent, [...(children.get(parent) ?? []), pid]);
  }
  const sum = (pid) => (children.get(pid) ?? []).reduce((total, child) => total + sum(child), ticksOf.get(pid) ?? 0);
  return sum(root) / TICKS;
}
