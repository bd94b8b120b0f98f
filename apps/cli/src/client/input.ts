import { openAsBlob } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { buffer, text } from 'node:stream/consumers';
import type { Command, CommandField } from './catalog.js';
import type { SortedWords } from './options.js';
import { UsageError } from './usage-error.js';

export type Input = Record<string, unknown>;

/** `-` is standard input, in which nothing may be yet. */
export async function readText(file: string): Promise<string> {
  try {
    if (file === '-') return await text(process.stdin);
    // Editors of Windows begin a file with a byte order mark.
    return (await readFile(file, 'utf8')).replace(/^\uFEFF/, '');
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export async function openFile(file: string): Promise<Blob> {
  if (file === '-') return new Blob([await buffer(process.stdin)]);
  return openAsBlob(file).catch((error: Error) => {
    throw new UsageError(`${file} cannot be read: ${error.message}`);
  });
}

/** `@file` is the content of the file, `@@…` a text that starts with @. */
async function textOf(value: string): Promise<string> {
  if (value.startsWith('@@')) return value.slice(1);
  return value.startsWith('@') ? readText(value.slice(1)) : value;
}

function parsed(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${what} is not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function scalar(text: string, type: string, { name, words }: CommandField): unknown {
  if (type === 'integer' || type === 'number') {
    const value = Number(text);
    if (text.trim() === '' || !Number.isFinite(value) || (type === 'integer' && !Number.isInteger(value)))
      throw new UsageError(`--${name} must be ${type === 'integer' ? 'a whole number' : 'a number'}`);
    return value;
  }
  if (type === 'boolean') {
    if (text !== 'true' && text !== 'false') throw new UsageError(`--${name} must be true or false`);
    return text === 'true';
  }
  if (words && !words.includes(text)) throw new UsageError(`--${name} must be one of ${words.join(', ')}`);
  return text;
}

async function valueOf(values: string[], field: CommandField): Promise<unknown> {
  const last = values.at(-1) ?? '';
  const { name, type, items = 'string' } = field;
  if (field.nullable === true && last === 'null') return null;
  if (type === 'json') return jsonOf(await textOf(last), name);
  if (type !== 'list') return scalar(type === 'string' && !field.words ? await textOf(last) : last, type, field);
  if (last.trim().startsWith('[')) return parsed(last, `--${name}`);
  return values.flatMap((value) => value.split(',')).map((each) => scalar(each.trim(), items, field));
}

const NUMBER = /^\s*-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?\s*$/i;

/** A text that cannot be JSON is itself: `--input hello`, `--input 2026-05-01`. */
function jsonOf(text: string, name: string): unknown {
  return NUMBER.test(text) || /^\s*([[{"]|(true|false|null)\s*$)/.test(text) ? parsed(text, `--${name}`) : text;
}

async function dataOf(data: string | undefined, command: Command): Promise<Input> {
  if (data === undefined) return {};
  const value = parsed(await (data === '-' ? readText('-') : textOf(data)), '--data');
  if (command.wholeBody !== undefined) return { [command.wholeBody]: value };
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError('--data must be a JSON object');
  return value as Input;
}

function fillPositions({ positional, fields }: SortedWords, { positions = [] }: Command, data: Input): void {
  const open = positions.filter((name) => !fields.has(name) && !(name in data));
  for (const [at, word] of positional.entries()) {
    const name = open[at];
    if (name === undefined) throw new UsageError(`unexpected argument "${word}"`);
    fields.set(name, [word]);
  }
}

export async function inputOf(command: Command, sorted: SortedWords): Promise<Input> {
  const known = command.fields ?? [];
  const data = await dataOf(sorted.options.data, command);
  fillPositions(sorted, command, data);
  const input: Input = { ...data };
  for (const [name, values] of sorted.fields) {
    const field = known.find((each) => each.name === name);
    if (!field) throw new UsageError(`there is no option --${name.replaceAll('_', '-')}`);
    input[name] = await valueOf(values, field);
  }
  const missing = known.filter(({ name, required }) => required === true && !(name in input)).map(({ name }) => name);
  if (missing.length > 0) throw new UsageError(`missing: ${missing.join(', ')}`);
  return input;
}
