import type { CompiledScript, ScriptEntry } from '@signalbox/contracts';

export interface ChildRun {
  language: string;
  entry: ScriptEntry;
  memory_mb: number;
  script: string;
  /** JSON text. */
  argument: string;
}

export interface ChildSources {
  language: string;
  script: string;
  entry: ScriptEntry;
  second: string | null;
}

/** `body` is the output as JSON text, or an error message. */
export interface ChildOutcome {
  status: 'completed' | 'script_error' | 'sandbox' | 'script_invalid';
  body: string;
  line?: number;
}

export interface Interpreter {
  readonly version: string;
  compile(sources: ChildSources): Promise<CompiledScript>;
  run(run: ChildRun): Promise<ChildOutcome>;
  /** Called while the process is idle, before the next run. */
  prepare(): Promise<void>;
}

export const invalidScript = ({ problems: [first] }: CompiledScript): ChildOutcome => ({
  status: 'script_invalid',
  body: first?.message ?? 'the script does not compile',
  ...(first?.line === undefined ? {} : { line: first.line }),
});

const MAX_MESSAGE_LENGTH = 2000;

export const shortened = (text: string): string =>
  text.length > MAX_MESSAGE_LENGTH ? `${text.slice(0, MAX_MESSAGE_LENGTH - 1)}…` : text;

/** Messages may name what a script has written. */
export const withShortMessages = ({ problems, ...compiled }: CompiledScript): CompiledScript => ({
  ...compiled,
  problems: problems.map((each) => ({ ...each, message: shortened(each.message) })),
});
