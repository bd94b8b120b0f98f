import { CALLBACK_TIMINGS, type CallbackTiming } from './callback-sender.js';

export interface Plan {
  at: number;
  secret: string | null;
  cancelled: boolean;
  wait: boolean;
  timing: CallbackTiming;
}

export interface Asked extends Plan {
  taskId: string;
  agentId: unknown;
  stopped: boolean;
}

export const planOf = (at: number, seed: number): Plan => {
  const secret = at % 6 === 1 ? `family-secret-${seed}-${at}` : null;
  const cancelled = at % 10 === 7;
  const wait = at % 4 === 0 && secret === null && !cancelled;
  return { at, secret, cancelled, wait, timing: CALLBACK_TIMINGS[(at >> 1) % CALLBACK_TIMINGS.length] ?? 'soon' };
};
