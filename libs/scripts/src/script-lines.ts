import { isDeeperThan } from '@signalbox/contracts';
import type { LostEnd, ScriptLogLevel } from './script-runner.js';

/** Characters of the JSON text of a value between a script and its host. */
export const MAX_HOST_VALUE_LENGTH = 16 * 1024 * 1024;
/** Arguments up to this length are read at once; a script has at most 64 calls at a time. */
export const MAX_SMALL_ARGUMENT_LENGTH = 128 * 1024;
/** Left to the caller after the time limit of a script that begins at the last moment: its end arrives later. */
export const REPORT_MS = 20_000;
/** As in bodies of the API. */
export const MAX_SCRIPT_DEPTH = 64;

/**
 * A line of the reply of `executeScript`; the last one is the result. Values of the script are JSON as text, so that
 * the runner does not parse them.
 */
export type ScriptLine =
  | StartedLine
  | { call: number; member: string; args: string }
  | { log: { level: ScriptLogLevel; message: string; timestamp: number } }
  | { emit: string }
  | { result: ResultLine };

/**
 * The execution has begun. The line is repeated with `taken`, the number of each host call whose reply the script has
 * taken, and before a call with large arguments, with its number and their length: earlier readers know no other line
 * without effect.
 */
export interface StartedLine {
  started: Started;
  taken?: number;
  argument_length?: number;
}

export interface Started {
  replies: string;
  /** Whether the runner reports that the script has taken a reply; earlier versions do not. */
  acknowledges?: boolean;
}

/** `wall_ms` is the time in the runner; the output is JSON as text. */
export type ResultLine = ScriptEnd & { wall_ms: number };

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

export type HostReply = { value: unknown } | { error: { name: string; message: string; status?: number } };

export const scriptLine = (line: ScriptLine): string => `${JSON.stringify(line)}\n`;

export class BadScriptValue extends Error {}

/**
 * Drops keys that are `__proto__` once they are stored: code that assigns the keys of such a value would replace the
 * prototype of its target.
 */
export function parseScriptValue(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new BadScriptValue('is not JSON');
  }
  if (isDeeperThan(value, MAX_SCRIPT_DEPTH))
    throw new BadScriptValue(`is nested deeper than ${MAX_SCRIPT_DEPTH} levels`);
  if (mayHoldPrototype(text)) dropPrototypes(value);
  return value;
}

/** Escapes can spell the key too, or put a NUL into it. */
const mayHoldPrototype = (text: string): boolean => text.includes('__proto__') || /\\u00[0567]/i.test(text);

const isPrototype = (key: string): boolean => key.replaceAll('\0', '') === '__proto__';

/** In place: a reviver of `JSON.parse` takes several times as long, and the process does nothing else meanwhile. */
function dropPrototypes(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) for (const each of value) dropPrototypes(each);
  else
    for (const key in value)
      if (isPrototype(key)) Reflect.deleteProperty(value, key);
      else dropPrototypes((value as Record<string, unknown>)[key]);
}
