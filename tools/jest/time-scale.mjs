// How many times longer than on the machine that the time limits of the specs were written for work takes here and now.

/** Units of work that the reference machine, two quiet cores, does in a second. */
const REFERENCE_UNITS = 500;
const MEASURED_MS = 600;
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

/** The scale, at least 1; takes less than a second, and as long as a unit on the slowest machines. */
export function measureTimeScale() {
  for (let warmUp = 0; warmUp < 20; warmUp++) work();
  const began = performance.now();
  let units = 0;
  while (performance.now() - began < MEASURED_MS) {
    work();
    units++;
  }
  const perSecond = (units * 1000) / (performance.now() - began);
  return Math.min(MAX_SCALE, Math.max(1, REFERENCE_UNITS / perSecond));
}

/** Spec files at once: where each takes several times as long, fewer of them wait for each other. */
export const workersFor = (scale, usual) => (scale >= 3 ? Math.max(1, usual - 1) : usual);
