import type { AdmissionLimits } from './admission.js';
import type { JailLevel } from './jail.js';
import type { WaitingLimits } from './waiting-list.js';

/** The sizes of a pool of child processes of one kind. */
export interface PoolSettings {
  /** Executions of one depth. */
  executions: AdmissionLimits;
  /** Compilations, which may use a whole processor each. */
  compilations: AdmissionLimits;
  /** Memory of a process that has run no script, in MB. */
  processMb: number;
  /** What the process of a script may use beyond the script's own memory, in MB; above it the process is killed. */
  aroundScriptMb: number;
  /** What a compilation may use, in MB. */
  compilationMb: number;
  /** Idle processes without a company that are kept ready. */
  warm: number;
  /** A process is replaced after so many runs, as soon as another one is ready, and after the second number at the latest. */
  runsPerChild: number;
  mostRunsPerChild: number;
  /** Processes beyond those that waiting executions need, kept for companies that have none running. */
  spare: number;
  /** What may wait; above it new executions are refused. */
  waiting: WaitingLimits;
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
  executedScript: boolean;
}

/** A token for the settings of the pools. */
export abstract class PoolSizes {
  abstract readonly javascript: PoolSettings;
  abstract readonly python: PoolSettings;
  /** What all scripts may use together, in MB. */
  abstract readonly memoryMb: number;
  /** The processor time of one execution. */
  abstract readonly cpuMs: number;
  /** The weakest jail in which scripts are executed. */
  abstract readonly jailMin: JailLevel;
}

const RESERVE = 4;
const MIB = 1024 * 1024;
const MIN_WAITING = 1000;
/** The nested scripts that one script can start at once. */
const NESTED_AT_ONCE = 64;
const IDLE_MS = 60_000;

/** The settings of the pools by the number of executions at once. */
export function poolSizes(
  atOnce: { javascript: number; python: number },
  warm: number,
  cpuSeconds: number,
  memoryMb: number,
  jailMin: JailLevel,
): PoolSizes {
  const common = { idleMs: IDLE_MS };
  const half = (total: number): number => Math.ceil(total / 2);
  const compilations = (total: number, reserve: number): AdmissionLimits => ({
    total: half(total),
    perCompany: Math.ceil(total / 8),
    reserve,
  });
  const waiting = (total: number): WaitingLimits => ({
    count: Math.max(MIN_WAITING, half(total) * NESTED_AT_ONCE),
    bytes: 64 * MIB,
    totalBytes: 256 * MIB,
  });
  return {
    javascript: {
      ...common,
      executions: { total: atOnce.javascript, perCompany: half(atOnce.javascript), reserve: RESERVE },
      compilations: compilations(atOnce.javascript, RESERVE),
      waiting: waiting(atOnce.javascript),
      processMb: 64,
      aroundScriptMb: 160,
      compilationMb: 192,
      warm,
      runsPerChild: 100,
      mostRunsPerChild: 150,
      spare: 1,
    },
    // The state of an interpreter of Python cannot be reset, so each process runs one script.
    python: {
      ...common,
      executions: { total: atOnce.python, perCompany: half(atOnce.python), reserve: 1 },
      compilations: compilations(atOnce.python, 1),
      waiting: waiting(atOnce.python),
      processMb: 200,
      aroundScriptMb: 320,
      compilationMb: 320,
      warm: 1,
      spare: 0,
      runsPerChild: 1,
      mostRunsPerChild: 1,
    },
    memoryMb,
    jailMin,
    cpuMs: cpuSeconds * 1000,
  };
}
