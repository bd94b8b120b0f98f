import { isDeeperThan, MAX_FOREIGN_DEPTH, type Message, type SourceRef } from '@signalbox/contracts';

/** An output or an expectation. */
export type Output = { text: string } | { json: unknown } | { message: Message };

export type OutputShape = 'text' | 'json' | 'message';

export const shapeOf = (output: Output): OutputShape =>
  'text' in output ? 'text' : 'json' in output ? 'json' : 'message';

export function contentOf({ content }: Pick<Message, 'content'>): string {
  if (content == null) return '';
  return typeof content === 'string' ? content : content.map(({ text }) => text ?? '').join('');
}

export function textOf(output: Output): string {
  if ('text' in output) return output.text;
  if ('message' in output) return contentOf(output.message);
  return typeof output.json === 'string' ? output.json : (JSON.stringify(output.json) ?? '');
}

/** Checked first: having the parser refuse other texts costs more than the whole comparison. */
const JSON_START = /^[ \t\r\n]*[[{"\-0-9tfn]/;

/** Undefined for a text that is not JSON, and for JSON that is nested too deep to be walked. */
export function parsed(text: string): unknown {
  if (!JSON_START.test(text)) return undefined;
  try {
    const value = JSON.parse(text) as unknown;
    return isDeeperThan(value, MAX_FOREIGN_DEPTH) ? undefined : value;
  } catch {
    return undefined;
  }
}

export const jsonOf = (output: Output): unknown => ('json' in output ? output.json : parsed(textOf(output)));

export const messageOf = (output: Output): Message =>
  'message' in output ? output.message : { role: 'assistant', content: textOf(output) };

/** For criteria that judge more than the output. */
export interface Observed {
  /** The id of the item in its set, null outside of a run, and its `meta`. */
  item: { id: number | null; metadata: Record<string, unknown> } | null;
  latency_ms: number | null;
  /** US dollars; null when unknown. */
  cost: number | null;
  source_ref: SourceRef | null;
  /** Epoch ms. */
  ended_at: number | null;
}

export const NOTHING_OBSERVED: Observed = {
  item: null,
  latency_ms: null,
  cost: null,
  source_ref: null,
  ended_at: null,
};

export interface Judged {
  input: unknown;
  expected: Output | null;
  actual: Output;
  observed: Observed;
}
