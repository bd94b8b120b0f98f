import { setPriority } from 'node:os';

/** As `nice` counts: lower than the event loops, whose calls must not be slowed. */
export const Priority = {
  short: 5,
  long: 10,
} as const;

/** On Linux a priority belongs to a thread; elsewhere it belongs to the process, whose calls must not be slowed. */
export function lowerPriority(threadId: number | null, priority: number): void {
  if (process.platform !== 'linux' || threadId === null) return;
  try {
    setPriority(threadId, priority);
  } catch {
    // It has ended, or the system forbids it: evaluations are bounded all the same.
  }
}
