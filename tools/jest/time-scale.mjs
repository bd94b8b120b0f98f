// How many times longer than on the machine that the time limits of the specs were written for work takes here and now.

import { readFileSync } from 'node:fs';

/** Units of work that the reference machine, two quiet cores, does in a second. */
const REFERENCE_UNITS = 500;
// Linux favours a process that has just begun: over half a second the same four busy loops were seen as 1.3 and as 3.8.
const MEASURED_MS = 2500;
const MAX_SCALE = 20;

/** A unit: parsing, sorting and hashing in JavaScript, as most of the suite does. */
function work() {
  const rows = Array.from({ length: 2000 }, (_, at) => ({
    at,
    name: `row ${(at * 7919) % 2003}`,
    tags: ['a', 'b', at],
  }));
  return JSON.parse(JSON.stringify(rows)).sort((one, other) => (one.name < other.name ? -1 : 1)).length;
}

/** How long this thread could have run and had to wait for a processor, in ms; 0 where Linux does not tell. */
function waitedMs() {
  try {
    return Number(readFileSync('/proc/thread-self/schedstat', 'utf8').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}

/**
 * The scale, at least 1, and the share of its time that work had to wait for other processes of this machine, from 0 to 1.
 * Takes three seconds, and as long as a unit on the slowest machines.
 */
export function measureTimeScale() {
  for (let warmUp = 0; warmUp < 20; warmUp++) work();
  const waitedBefore = waitedMs();
  const began = performance.now();
  let units = 0;
  while (performance.now() - began < MEASURED_MS) {
    work();
    units++;
  }
  const elapsed = performance.now() - began;
  const scale = Math.min(MAX_SCALE, Math.max(1, (REFERENCE_UNITS * elapsed) / (units * 1000)));
  return { scale, waiting: Math.min(1, (waitedMs() - waitedBefore) / elapsed) };
}

/**
 * Spec files at once. Linux gives each process that can run an equal share: next to other work, one more file has more of
 * the machine. On a slow machine each file takes several times as long, and fewer of them wait for each other.
 */
export function workersFor({ scale, waiting }, usual) {
  if (waiting > 1 / 3) return usual + 1;
  return scale >= 3 ? Math.max(1, usual - 1) : usual;
}
