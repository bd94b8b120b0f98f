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

/** A failure other than of quality names its class. */
export function wordOf(state: string, failureClass?: string | null): string {
  const word = WORDS[state] ?? state.charAt(0) + state.slice(1).toLowerCase();
  return failureClass && state !== 'TIMED_OUT' ? `${word}: ${failureClass}` : word;
}

/** Only quality failures are red. */
export function lampOfEnd(state: string, failureClass?: string | null): Lamp {
  if ((state === 'FAILED' || state === 'TIMED_OUT') && failureClass && failureClass !== 'quality') return 'odd';
  return lampOf(state);
}

/** May still change. */
export const isOpen = (state: string): boolean =>
  ['CREATED', 'VALIDATING', 'QUEUED', 'RUNNING', 'WAITING_WEBHOOK', 'PENDING'].includes(state);
