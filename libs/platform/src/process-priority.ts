import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** As `nice` counts: a tenth of the weight of the processes that callers wait for. */
const BACKGROUND = 10;

/** The session of this process: Linux shares the CPU between sessions first, and then between the processes of each. */
const sessionOf = (stat: string): number => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3]);

/**
 * Leaves the CPU of a busy machine to the processes that callers wait for. For a service that works on what has
 * happened already; without competition it gets all the time it needs. Containers share by their own weights.
 */
export function yieldToCallers(): void {
  if (process.platform !== 'linux') return;
  try {
    // A priority belongs to a thread; those that are created later inherit that of the main thread.
    for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), BACKGROUND);
    // A session of one service, as the launcher starts it: another one has more processes than this one.
    if (sessionOf(readFileSync('/proc/self/stat', 'utf8')) === process.pid)
      writeFileSync('/proc/self/autogroup', String(BACKGROUND));
  } catch {
    // The system groups nothing by sessions, or lets no process change its priority.
  }
}
