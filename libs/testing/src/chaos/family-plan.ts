import { MANNERS, type Manner } from './outside-caller.js';

/** What becomes of a task by plan. */
export interface Plan {
  at: number;
  secret: string | null;
  cancelled: boolean;
  wait: boolean;
  manner: Manner;
}

/** A family as it was asked for, and what was answered. */
export interface Asked extends Plan {
  taskId: string;
  agentId: unknown;
  /** Whether the platform said that it was cancelled. */
  stopped: boolean;
}

/** The plan of task `at`: the same for the same seed, whatever happens. */
export const planOf = (at: number, seed: number): Plan => {
  const secret = at % 6 === 1 ? `family-secret-${seed}-${at}` : null;
  const cancelled = at % 10 === 7;
  const wait = at % 4 === 0 && secret === null && !cancelled;
  return { at, secret, cancelled, wait, manner: MANNERS[(at >> 1) % MANNERS.length] ?? 'soon' };
};
