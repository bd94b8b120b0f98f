import type { CallToolResult } from '@modelcontextprotocol/server';

export const MAX_RESULT_BYTES = 20_000;
/** Reserved for what surrounds the data. */
const OWN_BYTES = 2500;
const MAX_MESSAGE_LENGTH = 2000;

export interface Answer {
  /** Words of the platform only: never text of users or models. */
  says: string[];
  data?: {
    source: string;
    text: string;
    /** The first character to send, a position in the text after `withoutTags`. */
    from?: number;
    /** Tells the model how to read on from a position. */
    more: (from: number) => string;
  };
}

/**
 * Fences the data with `<data source="…">`, so that a model can tell content of users from words of the platform, and
 * cuts it where the result would exceed 20 kB.
 */
export function resultOf({ says, data }: Answer): CallToolResult {
  if (!data) return { content: [{ type: 'text', text: says.join('\n') }] };
  const { source, text, from = 0, more } = data;
  const rest = withoutTags(text).slice(from);
  const shown = cut(rest, MAX_RESULT_BYTES - OWN_BYTES);
  const lines = [
    ...says,
    `<data source="${attribute(source)}">\n${shown}\n</data>`,
    ...(shown.length < rest.length ? [`more: ${more(from + shown.length)}`] : []),
  ];
  return { content: [{ type: 'text', text: lines.join('\n') }] };
}

/** Messages quote names that users chose, so they are fenced too. */
export const refusalOf = (status: number, message: string): CallToolResult => ({
  content: [
    {
      type: 'text',
      text: `${status} <data source="error">${withoutTags(message.slice(0, MAX_MESSAGE_LENGTH))}</data>`,
    },
  ],
  isError: true,
});

const TAG = /<(?=[\s\p{Cf}/]*data)/giu;

/** Breaks tags of the fence, also those hidden by invisible characters; JSON keeps its meaning. */
export const withoutTags = (text: string): string => text.replace(TAG, '\\u003c');

const attribute = (text: string): string => text.replace(/["<>&\n\r]/g, '_').slice(0, 300);

/** The longest prefix whose JSON has at most `maxBytes`; never divides a surrogate pair. */
function cut(text: string, maxBytes: number): string {
  if (jsonBytes(text) <= maxBytes) return text;
  let [low, high] = [0, Math.min(text.length, maxBytes)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (jsonBytes(text.slice(0, middle)) <= maxBytes) low = middle;
    else high = middle - 1;
  }
  const last = text.charCodeAt(low - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? low - 1 : low);
}

const jsonBytes = (text: string): number => Buffer.byteLength(JSON.stringify(text));
