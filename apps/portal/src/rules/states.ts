/** How a state is shown: by colour, shape and word. */
export type Lamp = 'good' | 'bad' | 'odd' | 'wait' | 'live' | 'off';

const LAMPS: Record<string, Lamp> = {
  ACTIVE: 'good',
  ALERT: 'bad',
  ARCHIVED: 'off',
  BETTER: 'good',
  BLOCKED: 'bad',
  CANCELLED: 'off',
  CHECKING: 'live',
  COMPLETED: 'good',
  CREATED: 'off',
  DISABLED: 'off',
  DONE: 'good',
  DOWN: 'bad',
  DRAFT: 'wait',
  ENABLED: 'good',
  ERROR: 'odd',
  FAIL: 'bad',
  FAILED: 'bad',
  FAULT: 'bad',
  HERE: 'good',
  MAY_MOVE: 'wait',
  NA: 'off',
  PASS: 'good',
  PAUSED: 'wait',
  PENDING: 'off',
  QUEUED: 'off',
  READY: 'good',
  RESOLVED: 'good',
  RUNNING: 'live',
  SAME: 'off',
  SEEN: 'wait',
  SUCCEEDED: 'good',
  SUCCESS: 'good',
  TIMED_OUT: 'bad',
  TIMEOUT: 'odd',
  UP: 'good',
  VALIDATING: 'live',
  WAITING_WEBHOOK: 'wait',
  WARNING: 'wait',
  WORSE: 'bad',
};

const WORDS: Record<string, string> = {
  MAY_MOVE: 'May move',
  WAITING_WEBHOOK: 'Waiting',
  TIMED_OUT: 'Timed out',
  NA: 'Not judged',
};

export const lampOf = (state: string): Lamp => LAMPS[state] ?? 'off';

/** A state in words; a failure that is no verdict on quality says whose it is. */
export function wordOf(state: string, failureClass?: string | null): string {
  const word = WORDS[state] ?? state.charAt(0) + state.slice(1).toLowerCase();
  return failureClass && state !== 'TIMED_OUT' ? `${word}: ${failureClass}` : word;
}

/** The lamp of something that ended: only quality is red, every other failure is an error elsewhere. */
export function lampOfEnd(state: string, failureClass?: string | null): Lamp {
  if ((state === 'FAILED' || state === 'TIMED_OUT') && failureClass && failureClass !== 'quality') return 'odd';
  return lampOf(state);
}

/** Whether something may still change. */
export const isOpen = (state: string): boolean =>
  ['CREATED', 'VALIDATING', 'QUEUED', 'RUNNING', 'WAITING_WEBHOOK', 'PENDING'].includes(state);
