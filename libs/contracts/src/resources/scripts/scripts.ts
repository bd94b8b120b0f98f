import { defineContract } from '../../contract.js';
import { chunks, list } from '../../contract/outputs.js';
import {
  Default,
  Description,
  Flag,
  Int,
  ListOf,
  Nested,
  Nullable,
  OneOf,
  Optional,
  Str,
  Text,
} from '../../fields/fields.js';
import { EmptyInput } from '../../shapes.js';

export const SCRIPT_LANGUAGES = ['javascript', 'typescript', 'python'] as const;
export type ScriptLanguage = (typeof SCRIPT_LANGUAGES)[number];

/** The functions of a script that are called from outside. */
export const SCRIPT_ENTRIES = ['execute', 'transform_session', 'score'] as const;
export type ScriptEntry = (typeof SCRIPT_ENTRIES)[number];

/** The longest script; lengths are in characters, as in the rest of the API. */
export const MAX_SCRIPT_LENGTH = 262_144;
/** The longest argument of a script as JSON text: the largest body of the API. */
export const MAX_ARGUMENT_LENGTH = 10_485_760;

class CompileScript {
  @OneOf(SCRIPT_LANGUAGES) language!: ScriptLanguage;
  @Text(MAX_SCRIPT_LENGTH) script!: string;
  @Text(MAX_SCRIPT_LENGTH) @Optional() transform_session?: string;
  @OneOf(SCRIPT_ENTRIES)
  @Optional()
  @Description('The function that the script must have; default execute')
  entry?: ScriptEntry;
}

/** What is wrong with a script, and where; lines and columns start at 1. */
export class ScriptProblem {
  @Int(1) @Optional() line?: number;
  @Int(1) @Optional() column?: number;
  @Str(1, 2000) message!: string;
}

/** The result of compiling a script; it was not run. */
export class CompiledScript {
  @ListOf(() => ScriptProblem, 0, 100) problems!: ScriptProblem[];
  @Flag() has_transform_session!: boolean;
}

/** The limits of one execution: wall clock, and memory of the script. */
export class ScriptLimits {
  @Int(1, 3_600_000) timeout_ms!: number;
  @Int(16, 512) memory_mb!: number;
}

/** One call of a function of a script; the company is that of the caller. */
class ExecuteScript {
  @Str(1, 200) execution_id!: string;
  @OneOf(SCRIPT_LANGUAGES) language!: ScriptLanguage;
  @Text(MAX_SCRIPT_LENGTH) script!: string;
  @OneOf(SCRIPT_ENTRIES) entry!: ScriptEntry;
  /** JSON as text: neither the bus nor the runner parses it. */
  @Text(MAX_ARGUMENT_LENGTH) argument!: string;
  @Nested(() => ScriptLimits) limits!: ScriptLimits;
  /** How many executions wait for this one to end: 0 for one that no other script has started. */
  @Int(0, 10) @Default(0) depth!: number;
}

/** A language, and whether this platform runs scripts in it. */
export class LanguageSupport {
  @OneOf(SCRIPT_LANGUAGES) language!: ScriptLanguage;
  @Flag() available!: boolean;
  @Str(1, 50) @Nullable() version!: string | null;
}

/** The host call that reads the next chunks of a stream; a stream has many of them, so they are counted apart. */
export const STREAM_READ = 'chat.completions.read';

/** Where the replies to the host calls of one execution are published: `script-replies.<runner process>.<execution>`. */
export const SCRIPT_REPLIES = 'script-replies';

/** Internal: scripts of workflows, compiled and executed in sandboxed processes. */
export const scripts = defineContract(
  { name: 'scripts', service: 'runner', tag: 'Internal' },
  {
    compileScript: {
      summary: 'Compile a script without running it',
      input: CompileScript,
      output: CompiledScript,
      delivery: { slow: true },
    },
    executeScript: {
      summary: 'Execute a function of a script; the reply consists of lines, the last of which is the result',
      input: ExecuteScript,
      output: chunks(),
      delivery: { slow: true, abandonable: true },
    },
    listLanguages: {
      summary: 'The languages that this platform runs scripts in',
      input: EmptyInput,
      output: list(LanguageSupport),
    },
  },
);
