import type { CompiledScript, ScriptEntry } from '@signalbox/contracts';

/** One execution as a child process receives it. */
export interface ChildRun {
  language: string;
  entry: ScriptEntry;
  memory_mb: number;
  script: string;
  /** JSON text. */
  argument: string;
}

/** What is compiled together. */
export interface ChildSources {
  language: string;
  script: string;
  /** The function that the script must have. */
  entry: ScriptEntry;
  /** The separate script of `transform_session`. */
  second: string | null;
}

/** The outcome of a run inside the child; `body` is the output as JSON text, or the message of the error. */
export interface ChildOutcome {
  status: 'completed' | 'script_error' | 'sandbox' | 'script_invalid';
  body: string;
  line?: number;
}

/** What one kind of child process can do. */
export interface Interpreter {
  readonly version: string;
  compile(sources: ChildSources): Promise<CompiledScript>;
  run(run: ChildRun): Promise<ChildOutcome>;
  /** Prepares the next run while the process is idle. */
  prepare(): Promise<void>;
}

/** A script that does not compile: the message of its first problem. */
export const invalidScript = ({ problems: [first] }: CompiledScript): ChildOutcome => ({
  status: 'script_invalid',
  body: first?.message ?? 'the script does not compile',
  ...(first?.line === undefined ? {} : { line: first.line }),
});

const MAX_MESSAGE_LENGTH = 2000;

/** A message, cut to the length that results carry. */
export const shortened = (text: string): string =>
  text.length > MAX_MESSAGE_LENGTH ? `${text.slice(0, MAX_MESSAGE_LENGTH - 1)}…` : text;
