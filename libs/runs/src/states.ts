import { conflict } from '@signalbox/contracts';

export type TransitionTable<Status extends string, Trigger extends string> = Readonly<
  Record<Status, Readonly<Partial<Record<Trigger, Status>>>>
>;

export interface States<Status extends string = string, Trigger extends string = string> {
  /** A terminal state is never left. */
  isTerminal(status: Status): boolean;
  /** 409 with the run and its state when the state does not allow the trigger. */
  move(run: { id: string; status: Status }, trigger: Trigger): Status;
}

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
