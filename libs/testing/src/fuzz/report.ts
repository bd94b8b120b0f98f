import type { FuzzRequest } from './message.js';

export interface FuzzOptions {
  requests: number;
  seed: number;
  log?: (line: string) => void;
}

export interface FuzzReport {
  seed: number;
  requests: number;
  seconds: number;
  kinds: Record<string, number>;
  statuses: Record<string, number>;
  slowestMs: number;
  /** Late or failed replies that are not counted, because the machine was paused. */
  disturbed: number;
  /** Once per endpoint and kind, with the first request that showed it. */
  problems: FuzzProblem[];
}

export interface FuzzProblem {
  times: number;
  kind: FuzzRequest['kind'];
  from: string;
  problem: string;
  detail: string;
  request: string;
}
