/** A trace is closed when its root has ended and nothing has arrived for so long. */
const QUIET_MS = 10_000;
/** A trace is closed at the latest so long after the first of it has arrived. */
const LONGEST_MS = 300_000;

/** What closing depends on. */
interface TraceArrival {
  hasRoot: boolean;
  first_arrival: number;
  last_arrival: number;
}

/** The milliseconds until a trace is closed, by the times of arrival: the clocks of senders are their own. */
export function closesIn({ hasRoot, first_arrival, last_arrival }: TraceArrival, now: number): number {
  const latest = first_arrival + LONGEST_MS;
  const quiet = hasRoot ? last_arrival + QUIET_MS : latest;
  return Math.max(0, Math.min(quiet, latest) - now);
}
