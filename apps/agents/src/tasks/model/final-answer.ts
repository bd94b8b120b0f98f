import { isDeeperThan, MAX_FOREIGN_DEPTH, type Message, type ResponseFormat } from '@signalbox/contracts';

/** An answer parsed by its response format: the value, or its problem. */
export type ReadAnswer = { value: unknown; content: string } | { problem: string };

/** The text of a message, its parts joined. */
export function textOf({ content }: Message): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => part.text ?? '').join('');
}

const FENCE = '```';
const OPENING = /^```(?:json)?\s*$/;

/**
 * Removes a code fence. A regular expression over the whole text would backtrack at every line end of a hostile answer.
 */
function unfenced(text: string): string {
  const end = text.indexOf('\n');
  if (end < 0 || !text.endsWith(FENCE) || !OPENING.test(text.slice(0, end))) return text;
  return text.slice(end + 1, -FENCE.length).trim();
}

/** Parses an answer; a JSON answer may be in a code fence, which many models add. */
export function readAnswer(message: Message, format: ResponseFormat | null): ReadAnswer {
  const text = textOf(message);
  if (!format || format.type === 'text') return { value: null, content: text };
  const json = unfenced(text.trim());
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return { problem: 'it is not JSON' };
  }
  if (isDeeperThan(value, MAX_FOREIGN_DEPTH)) return { problem: `it is nested more than ${MAX_FOREIGN_DEPTH} deep` };
  if (format.type === 'json_object' && (typeof value !== 'object' || value === null || Array.isArray(value)))
    return { problem: 'it is not a JSON object' };
  return { value, content: json };
}
