import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/**
 * Priorities as `nice` counts, by what goes first: a tenth of the weight of the processes that callers wait for, for a
 * service that works on what has happened already; and a third of it for workers, whose callers wait longer than those
 * of an API.
 */
const PRIORITIES = { callers: 10, api: 5 } as const;

/** The session of this process: Linux shares the CPU between sessions first, and then between the processes of each. */
const sessionOf = (stat: string): number => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3]);

/**
 * Leaves the CPU of a busy machine to other processes; without competition this one gets all the time it needs.
 * Containers share by their own weights.
 */
export function yieldTo(first: keyof typeof PRIORITIES): void {
  if (process.platform !== 'linux') return;
  const priority = PRIORITIES[first];
  try {
    // A priority belongs to a thread; those that are created later inherit that of the main thread.
    for (const thread of readdirSync('/proc/self/task')) setPriority(Number(thread), priority);
    // A session of one service, as the launcher starts it: another one has more processes than this one.
    if (sessionOf(readFileSync('/proc/self/stat', 'utf8')) === process.pid)
      writeFileSync('/proc/self/autogroup', String(priority));
  } catch {
    // The system groups nothing by sessions, or lets no process change its priority.
  }
}
