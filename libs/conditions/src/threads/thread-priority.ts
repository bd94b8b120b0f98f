import { setPriority } from 'node:os';

/** Priorities of evaluation threads, as `nice` counts: lower than that of the event loops, whose calls they must not slow. */
export const Priority = {
  /** An evaluation gets the CPU time that calls leave. */
  short: 5,
  /** An evaluation that has proven expensive gets what short ones leave as well. */
  long: 10,
} as const;

/**
 * Lowers the priority of a thread. On Linux a priority belongs to a thread; elsewhere it belongs to the process, whose
 * calls must not be slowed, and a thread has no id.
 */
export function lowerPriority(threadId: number | null, priority: number): void {
  if (process.platform !== 'linux' || threadId === null) return;
  try {
    setPriority(threadId, priority);
  } catch {
    // It has ended, or the system does not let processes change priorities: its evaluations are bounded all the same.
  }
}
