import type { CallToolResult } from '@modelcontextprotocol/server';

/** The longest result of a call, in bytes of its JSON. */
export const MAX_RESULT_BYTES = 20_000;
/** Of it for the sentences around the data, and for the envelope of the result. */
const OWN_BYTES = 2500;
const MAX_MESSAGE_LENGTH = 2000;

/** What a tool answers: sentences of the platform, and data that people and models may have written. */
export interface Answer {
  /** Written by the platform alone. */
  says: string[];
  data?: {
    /** Where the data comes from, such as `GET /agents/5`. */
    source: string;
    text: string;
    /** The first character that is sent; positions count the text in which no tag is left. */
    from?: number;
    /** How the rest is read, given the position of its first character. */
    more: (from: number) => string;
  };
}

/**
 * The result of a call: the data between `<data source="…">` and `</data>`, so that its reader can tell it from what the
 * platform says, cut where the result would become longer than 20 kB.
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

/** A refusal, as the result that the model reads; messages quote names that users have chosen. */
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

/** Text in which no tag of the fence is left, with signs in it that nobody sees neither; JSON stays the same JSON. */
export const withoutTags = (text: string): string => text.replace(TAG, '\\u003c');

const attribute = (text: string): string => text.replace(/["<>&\n\r]/g, '_').slice(0, 300);

/** The longest beginning of a text whose JSON is at most so long, cut between two characters. */
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
