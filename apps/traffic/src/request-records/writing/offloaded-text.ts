export const PARTS = ['params', 'response', 'corrected_response'] as const;
export type Part = (typeof PARTS)[number];

/** Longer parts are moved to the object store. */
const LARGE_BYTES = 256_000;
const MAX_BYTES_PER_UNIT = 3;
/** Longest texts in an excerpt, tried one after the other. */
const TEXT_LENGTHS = [2000, 200, 20];
const MARK = 'stored_aside';

/** True for JSON text that is stored outside of the row. */
export const isLarge = (text: string): boolean =>
  text.length * MAX_BYTES_PER_UNIT > LARGE_BYTES && Buffer.byteLength(text) > LARGE_BYTES;

/**
 * The excerpt that stays in the row: the same JSON with shortened texts, so that searches, timelines and summaries work
 * with the beginning of each text.
 */
export function excerptOf(text: string): string {
  const whole = JSON.parse(text) as Record<string, unknown>;
  for (const length of TEXT_LENGTHS) {
    const short = JSON.stringify({ ...whole, [MARK]: true }, (_, value: unknown) => cut(value, length));
    if (!isLarge(short)) return short;
  }
  return JSON.stringify({ [MARK]: true });
}

/** True for a part that may be an excerpt; its row decides. */
export const isMarked = (part: unknown): boolean => typeof part === 'object' && part !== null && MARK in part;

/** The text must come from Postgres, which writes a space after the colon. */
export const hasMark = (text: string): boolean => text.includes(`"${MARK}": true`);

function cut(value: unknown, length: number): unknown {
  if (typeof value !== 'string' || value.length <= length) return value;
  // Half of a character cannot be stored.
  return `${value.slice(0, length).replace(/[\ud800-\udbff]$/, '')}…`;
}
