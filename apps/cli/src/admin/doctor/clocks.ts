import { type Finding, ok, problem, warning } from './finding.js';

/** A clock that another machine has reported, between two moments of this one; all in epoch milliseconds. */
export interface ClockReading {
  reported: number;
  before: number;
  after: number;
}

const WARNING_MS = 1000;
const PROBLEM_MS = 30_000;
const ADVICE = 'synchronize the clocks of the machines (NTP): leases, schedules and the ages of records compare them';

/** How far a clock is certainly away from that of this machine; what the reply took is no difference. */
export function skewMs({ reported, before, after }: ClockReading): number {
  return Math.max(0, before - reported, reported - after);
}

/** What the clock of a part of the platform means. */
export function clockFinding(area: string, reading: ClockReading): Finding {
  const skew = Math.round(skewMs(reading));
  const found = `differs by ${skew} ms`;
  if (skew >= PROBLEM_MS) return problem(area, found, ADVICE);
  return skew >= WARNING_MS ? warning(area, found, ADVICE) : ok(area, found);
}
