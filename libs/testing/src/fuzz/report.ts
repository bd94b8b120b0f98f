import type { FuzzRequest } from './message.js';

/** Options of a run. */
export interface FuzzOptions {
  requests: number;
  seed: number;
  log?: (line: string) => void;
}

/** The result of a run. */
export interface FuzzReport {
  seed: number;
  requests: number;
  seconds: number;
  kinds: Record<string, number>;
  statuses: Record<string, number>;
  slowestMs: number;
  /** Late or failed replies that are not counted, since the machine was paused meanwhile. */
  disturbed: number;
  /** Each problem once per endpoint and kind, with the request that showed it first and its count. */
  problems: FuzzProblem[];
}

/** One kind of problem. */
export interface FuzzProblem {
  times: number;
  kind: FuzzRequest['kind'];
  from: string;
  problem: string;
  detail: string;
  request: string;
}
