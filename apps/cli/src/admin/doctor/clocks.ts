import { type Finding, ok, problem, warning } from './finding.js';

/** A clock of another machine, read between two moments of this one; epoch ms. */
export interface ClockReading {
  reported: number;
  before: number;
  after: number;
}

const WARNING_MS = 1000;
const PROBLEM_MS = 30_000;
const ADVICE = 'synchronize the clocks of the machines (NTP): leases, schedules and the ages of records compare them';

/** A lower bound: the duration of the reply is no difference. */
export function skewMs({ reported, before, after }: ClockReading): number {
  return Math.max(0, before - reported, reported - after);
}

export function clockFinding(area: string, reading: ClockReading): Finding {
  const skew = Math.round(skewMs(reading));
  const found = `differs by ${skew} ms`;
  if (skew >= PROBLEM_MS) return problem(area, found, ADVICE);
  return skew >= WARNING_MS ? warning(area, found, ADVICE) : ok(area, found);
}
