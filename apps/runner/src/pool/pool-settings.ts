import type { AdmissionLimits } from './admission.js';
import type { JailLevel } from './jail.js';
import type { WaitingLimits } from './waiting-list.js';

export interface PoolSettings {
  /** For each depth. */
  executions: AdmissionLimits;
  compilations: AdmissionLimits;
  /** Memory of a process that has not run a script. */
  processMb: number;
  /** Beyond the script's own memory, before the process is killed. */
  aroundScriptMb: number;
  compilationMb: number;
  /** Idle processes without a company. */
  warm: number;
  /** After so many runs a process is replaced once another one is ready; after `mostRunsPerChild` in any case. */
  runsPerChild: number;
  mostRunsPerChild: number;
  /** Processes beyond those for waiting executions, for companies that have none running. */
  spare: number;
  waiting: WaitingLimits;
  /** After so long, an idle process of a company ends. */
  idleMs: number;
}

export interface PoolCounts {
  idle: number;
  busy: number;
  waiting: number;
}

export interface RunEnd {
  isReusable: boolean;
  /** A compilation leaves nothing behind in the process. */
  executedScript: boolean;
}

/** Also the Nest token of its value. */
export abstract class PoolSizes {
  abstract readonly javascript: PoolSettings;
  abstract readonly python: PoolSettings;
  abstract readonly memoryMb: number;
  abstract readonly cpuMs: number;
  abstract readonly jailMin: JailLevel;
}

const RESERVE = 4;
const MIB = 1024 * 1024;
const MIN_WAITING = 1000;
/** Nested scripts that one script can start at once. */
const NESTED_AT_ONCE = 64;
const IDLE_MS = 60_000;

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
    // Python's state cannot be reset, so each process runs one script.
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
