import { isDeeperThan } from '@signalbox/contracts';
import type { LostEnd, ScriptLogLevel } from './script-runner.js';

/** The longest JSON text of a value that passes between a script and its host, in characters. */
export const MAX_HOST_VALUE_LENGTH = 16 * 1024 * 1024;
/** Arguments up to this length are read at once; a script has at most 64 calls at a time. */
export const MAX_SMALL_ARGUMENT_LENGTH = 128 * 1024;
/** The deepest nesting of such a value: that of the bodies of the API. */
export const MAX_SCRIPT_DEPTH = 64;

/**
 * One line of the reply of `executeScript`. Values that come from the script are JSON as text, so that the runner does
 * not parse them. The last line is the result.
 */
export type ScriptLine =
  | StartedLine
  | { call: number; member: string; args: string }
  | { log: { level: ScriptLogLevel; message: string; timestamp: number } }
  | { emit: string }
  | { result: ResultLine };

/**
 * The execution has begun. The line is repeated with the number of each host call whose reply the script has taken, and
 * before a call with large arguments, with its number and their length: earlier versions of its reader know no other
 * line that has no effect.
 */
export interface StartedLine {
  started: Started;
  taken?: number;
  argument_length?: number;
}

/** How the host calls of an execution are replied to. */
export interface Started {
  /** The subject under which the replies are published. */
  replies: string;
  /** The runner says when the script has taken a reply; earlier versions do not. */
  acknowledges?: boolean;
}

/** The result of an execution with the time that it took in the runner; the output is JSON as text. */
export type ResultLine = ScriptEnd & { wall_ms: number };

/** The end of an execution. */
export type ScriptEnd =
  | { status: 'completed'; output: string; cpu_ms: number }
  | {
      status: 'failed';
      error_code: 'script_error' | 'sandbox' | 'script_invalid';
      message: string;
      line?: number;
      cpu_ms: number;
    }
  | { status: 'timed_out'; message: string; cpu_ms: number }
  | LostEnd;

/** The reply to a host call. */
export type HostReply = { value: unknown } | { error: { name: string; message: string; status?: number } };

/** A line as text, with the line break. */
export const scriptLine = (line: ScriptLine): string => `${JSON.stringify(line)}\n`;

/** A value from a script is not JSON, or nested too deeply. */
export class BadScriptValue extends Error {}

/**
 * Parses a value that a script has produced. A key `__proto__` is dropped: code that assigns the keys of such a value
 * would replace the prototype of its target.
 */
export function parseScriptValue(text: string): unknown {
  let value: unknown;
  try {
    value = mayHoldPrototype(text) ? JSON.parse(text, withoutPrototype) : JSON.parse(text);
  } catch {
    throw new BadScriptValue('is not JSON');
  }
  if (isDeeperThan(value, MAX_SCRIPT_DEPTH))
    throw new BadScriptValue(`is nested deeper than ${MAX_SCRIPT_DEPTH} levels`);
  return value;
}

/** An escaped letter can spell the key too. */
const mayHoldPrototype = (text: string): boolean => text.includes('__proto__') || /\\u00[57]/i.test(text);

const withoutPrototype = (key: string, value: unknown): unknown => (key === '__proto__' ? undefined : value);
