import {
  type Caller,
  type CompiledScript,
  type LanguageSupport,
  type ScriptEntry,
  type ScriptLanguage,
  type ScriptLimits,
  STREAM_READ,
} from '@signalbox/contracts';

export interface ScriptExecution {
  /** Run id and attempt; names the execution in logs and on the bus. */
  execution_id: string;
  company_id: number;
  language: ScriptLanguage;
  script: string;
  entry: ScriptEntry;
  /**
   * JSON: for `execute` the data members of `ctx` (`{input, messages, session_id, metadata, params, run,
   * secret_names}`), for `transform_session` the session, for `score` the item.
   */
  argument: unknown;
  limits: ScriptLimits;
  /** Depth of nesting; each depth has its own slots. */
  depth: number;
}

/**
 * `cpu_ms` is processor time, `wall_ms` the time in the runner once the script had a process; absent when no runner
 * reported it.
 */
export type ScriptResult = ScriptOutcome & { wall_ms?: number };

type ScriptOutcome =
  | { status: 'completed'; output: unknown; cpu_ms: number }
  | {
      status: 'failed';
      error_code: 'script_error' | 'sandbox' | 'script_invalid';
      message: string;
      line?: number;
      cpu_ms: number;
    }
  | { status: 'timed_out'; message: string; cpu_ms: number }
  | LostEnd;

/**
 * The runner stopped or died, a connection was lost, or the execution was aborted. `is_outage` when the cause is known
 * to lie outside the script, which may also have crashed its process or runner.
 */
export interface LostEnd {
  status: 'lost';
  message: string;
  is_outage?: boolean;
}

export const SCRIPT_LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
export type ScriptLogLevel = (typeof SCRIPT_LOG_LEVELS)[number];

/**
 * Functions that a script may call. A stream is one iterator for the script and three calls here: open, read and close.
 */
export const HOST_MEMBERS = [
  'chat.completions.create',
  'chat.completions.stream',
  STREAM_READ,
  'chat.completions.close',
  'agents.invoke',
  'workflows.execute',
  'http.fetch',
  'artifacts.get',
  'artifacts.put',
  'secrets.get',
  'step.begin',
  'step.end',
] as const;

/** The script gets an exception of this name, and the status if there is one. */
export class ScriptHostError extends Error {
  constructor(
    override readonly name: string,
    message: string,
    readonly status?: number,
  ) {
    super(message);
  }
}

/**
 * Waits until a result of so many bytes may be read; the memory is held until the script has taken the result. Rejects
 * with the reason of the signal.
 */
export type AdmitResult = (bytes: number, signal: AbortSignal) => Promise<void>;

export interface ScriptHost {
  /**
   * Rejects with ScriptHostError; any other error reaches the script without its message. A large result is read only
   * after `admit`.
   */
  call(member: string, args: unknown[], admit: AdmitResult): Promise<unknown>;
  /** In order; `timestamp` in epoch milliseconds. */
  log(level: ScriptLogLevel, message: string, timestamp: number): void;
  emit(event: unknown): void;
}

export abstract class ScriptRunner {
  /**
   * Compiles a script and the optional one of `transform_session`; runs neither. The script must have the function
   * `entry`, by default `execute`. Rejects with 503 when too many compilations of the company wait, and with `timeout`
   * at the deadline of the caller.
   */
  abstract compile(
    caller: Pick<Caller, 'companyId' | 'deadline'>,
    language: ScriptLanguage,
    script: string,
    parts?: { transform_session?: string | undefined; entry?: ScriptEntry },
  ): Promise<CompiledScript>;

  /**
   * Rejects with an ApiError `unavailable` when no runner has started it, in which case nothing ran. Aborting `signal`
   * kills the child process and resolves with `lost`.
   */
  abstract execute(execution: ScriptExecution, host: ScriptHost, signal: AbortSignal): Promise<ScriptResult>;

  abstract languages(): Promise<LanguageSupport[]>;
}
