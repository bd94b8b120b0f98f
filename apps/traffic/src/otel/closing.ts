/** A trace whose root has ended is closed when nothing has arrived for this time. */
const QUIET_MS = 10_000;
/** A trace is closed at the latest this time after its first record arrived. */
const LONGEST_MS = 300_000;

interface TraceArrival {
  hasRoot: boolean;
  first_arrival: number;
  last_arrival: number;
}

/** In ms; by the times of arrival, because the clocks of senders are not ours. */
export function closesIn({ hasRoot, first_arrival, last_arrival }: TraceArrival, now: number): number {
  const latest = first_arrival + LONGEST_MS;
  const quiet = hasRoot ? last_arrival + QUIET_MS : latest;
  return Math.max(0, Math.min(quiet, latest) - now);
}
