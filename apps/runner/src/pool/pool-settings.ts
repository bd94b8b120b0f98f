import type { AdmissionLimits } from './admission.js';

/** The sizes of a pool of child processes of one kind. */
export interface PoolSettings extends AdmissionLimits {
  /** Idle processes without a company that are kept ready. */
  warm: number;
  /** A process is replaced after so many runs, as soon as another one is ready, and after the second number at the latest. */
  runsPerChild: number;
  mostRunsPerChild: number;
  /** Processes beyond those that waiting executions need, kept for companies that have none running. */
  spare: number;
  /** Waiting executions above which new ones are refused. */
  maxWaiting: number;
  /** How long an execution waits for a process before it is refused. */
  maxWaitMs: number;
  /** A process that is bound to a company and idle for so long is ended. */
  idleMs: number;
}

/** The sizes of a pool, for metrics. */
export interface PoolCounts {
  idle: number;
  busy: number;
  waiting: number;
}

/** How the use of a process ended. */
export interface RunEnd {
  /** False after an abnormal end. */
  isReusable: boolean;
  /** False for a compilation, which leaves nothing behind. */
  hasRun: boolean;
}

/** A token for the settings of the pools. */
export abstract class PoolSizes {
  abstract readonly javascript: PoolSettings;
  abstract readonly python: PoolSettings;
  /** The processor time of one execution. */
  abstract readonly cpuMs: number;
}

const RESERVE = 4;
const MAX_WAITING = 1000;
const MAX_WAIT_MS = 60_000;
const IDLE_MS = 60_000;

/** The settings of the pools by the number of executions at once. */
export function poolSizes(atOnce: { javascript: number; python: number }, warm: number, cpuSeconds: number): PoolSizes {
  const common = { maxWaiting: MAX_WAITING, maxWaitMs: MAX_WAIT_MS, idleMs: IDLE_MS };
  const half = (total: number): number => Math.ceil(total / 2);
  return {
    javascript: {
      ...common,
      total: atOnce.javascript,
      perCompany: half(atOnce.javascript),
      reserve: RESERVE,
      warm,
      runsPerChild: 100,
      mostRunsPerChild: 150,
      spare: 1,
    },
    // The state of an interpreter of Python cannot be reset, so each process runs one script.
    python: {
      ...common,
      total: atOnce.python,
      perCompany: half(atOnce.python),
      reserve: 1,
      warm: 1,
      spare: 0,
      runsPerChild: 1,
      mostRunsPerChild: 1,
    },
    cpuMs: cpuSeconds * 1000,
  };
}
