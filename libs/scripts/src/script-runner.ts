import {
  type Caller,
  type CompiledScript,
  type LanguageSupport,
  type ScriptEntry,
  type ScriptLanguage,
  type ScriptLimits,
  STREAM_READ,
} from '@signalbox/contracts';

/** One call of a function of a script. */
export interface ScriptExecution {
  /** Run id and attempt; it names the execution in logs and on the bus. */
  execution_id: string;
  company_id: number;
  language: ScriptLanguage;
  script: string;
  entry: ScriptEntry;
  /**
   * JSON. For `execute` the data members of `ctx`: `{input, messages, session_id, metadata, params, run, secret_names}`;
   * for `transform_session` the session; for `score` the item to score.
   */
  argument: unknown;
  limits: ScriptLimits;
  /** How deep the run is nested; executions of one depth do not take the slots of another. */
  depth: number;
}

/**
 * The outcome of an execution. `cpu_ms` is the processor time it used, `wall_ms` the time it took in the runner, from
 * the moment it had a process; absent when no runner has reported it.
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
  /** The run may be executed again from its beginning. */
  | LostEnd;

/**
 * The runner stopped or died, a connection was interrupted, or the execution was aborted. It is an outage when the
 * cause is known to lie outside of the script, which may also have taken its process or its runner with it.
 */
export interface LostEnd {
  status: 'lost';
  message: string;
  is_outage?: boolean;
}

/** The levels of log lines of scripts. */
export const SCRIPT_LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const;
/** The level of a log line of a script. */
export type ScriptLogLevel = (typeof SCRIPT_LOG_LEVELS)[number];

/**
 * The functions of the platform that a running script may call. A stream is opened, read and closed by three calls, of
 * which the script sees one iterator.
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

/** Rejects a host call; the script sees an exception of that name, and the status when there is one. */
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
 * Waits until a result of so many bytes in memory may be read; the script has the bytes until it has taken the result.
 * Rejects with the reason of the signal.
 */
export type AdmitResult = (bytes: number, signal: AbortSignal) => Promise<void>;

/** The platform as a running script sees it; arguments and results are JSON values, bounded in size and number. */
export interface ScriptHost {
  /**
   * A call of one of `HOST_MEMBERS`; rejects with ScriptHostError. Any other error reaches the script without its text.
   * A large result is read only after it was admitted.
   */
  call(member: string, args: unknown[], admit: AdmitResult): Promise<unknown>;
  /** A log line, in order; `timestamp` in epoch milliseconds. */
  log(level: ScriptLogLevel, message: string, timestamp: number): void;
  /** An event that the script emits, in order. */
  emit(event: unknown): void;
}

/** Compiles and executes scripts in sandboxed processes. */
export abstract class ScriptRunner {
  /**
   * Compiles a script of a company, and the separate script of `transform_session` if there is one; runs neither. The
   * script must have the function `entry`, by default `execute`.
   * Rejects with 503 when too many compilations of the company wait, and with `timeout` at the deadline of the caller.
   */
  abstract compile(
    caller: Pick<Caller, 'companyId' | 'deadline'>,
    language: ScriptLanguage,
    script: string,
    parts?: { transform_session?: string | undefined; entry?: ScriptEntry },
  ): Promise<CompiledScript>;

  /**
   * Executes a function of a script. Rejects with an ApiError of kind `unavailable` when no runner has started it, in
   * which case nothing ran; aborting `signal` kills the child process and resolves with `lost`.
   */
  abstract execute(execution: ScriptExecution, host: ScriptHost, signal: AbortSignal): Promise<ScriptResult>;

  /** The languages of the platform, and whether scripts in them can be executed. */
  abstract languages(): Promise<LanguageSupport[]>;
}
