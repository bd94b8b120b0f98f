import { conflict } from '@signalbox/contracts';

/** For each state its triggers and the state after each. */
export type TransitionTable<Status extends string, Trigger extends string> = Readonly<
  Record<Status, Readonly<Partial<Record<Trigger, Status>>>>
>;

export interface States<Status extends string = string, Trigger extends string = string> {
  /** A run in a terminal state never leaves it. */
  isTerminal(status: Status): boolean;
  /** Returns the state after the trigger; 409 with the run and its state when the state does not allow it. */
  move(run: { id: string; status: Status }, trigger: Trigger): Status;
}

/** Returns the states of a kind of run by their transition table; a state without transitions is terminal. */
export function statesOf<Status extends string, Trigger extends string>(
  noun: string,
  table: TransitionTable<Status, Trigger>,
): States<Status, Trigger> {
  return {
    isTerminal: (status) => Object.keys(table[status]).length === 0,
    move({ id, status }, trigger) {
      const next = table[status][trigger];
      if (next === undefined) throw conflict(`${noun} ${id} is ${status}: it cannot ${trigger}`);
      return next;
    },
  };
}

export type RunStatus = 'QUEUED' | 'RUNNING' | 'WAITING_WEBHOOK' | 'COMPLETED' | 'FAILED' | 'CANCELLED';
export type RunTrigger = 'start' | 'wait' | 'resume' | 'complete' | 'fail' | 'cancel';

export const RUN_TRANSITIONS: TransitionTable<RunStatus, RunTrigger> = {
  QUEUED: { start: 'RUNNING', cancel: 'CANCELLED' },
  RUNNING: { wait: 'WAITING_WEBHOOK', complete: 'COMPLETED', fail: 'FAILED', cancel: 'CANCELLED' },
  WAITING_WEBHOOK: { resume: 'RUNNING', fail: 'FAILED', cancel: 'CANCELLED' },
  COMPLETED: {},
  FAILED: {},
  CANCELLED: {},
};
