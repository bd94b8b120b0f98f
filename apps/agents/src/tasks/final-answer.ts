import type { Message, ResponseFormat } from '@signalbox/contracts';

/** An answer read as the response format wants it: the value, or what is wrong with it. */
export type ReadAnswer = { value: unknown; content: string } | { problem: string };

/** The text of a message, its parts joined. */
export function textOf({ content }: Message): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => part.text ?? '').join('');
}

const FENCED = /^```(?:json)?\s*\n([\s\S]*?)\n?```$/;

/** Reads an answer; a JSON answer may stand in a code fence, which many models cannot help. */
export function readAnswer(message: Message, format: ResponseFormat | null): ReadAnswer {
  const text = textOf(message);
  if (!format || format.type === 'text') return { value: null, content: text };
  const bare = text.trim();
  const json = FENCED.exec(bare)?.[1] ?? bare;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return { problem: 'it is not JSON' };
  }
  if (format.type === 'json_object' && (typeof value !== 'object' || value === null || Array.isArray(value)))
    return { problem: 'it is not a JSON object' };
  return { value, content: json };
}
