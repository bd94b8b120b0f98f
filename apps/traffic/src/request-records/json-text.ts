import { JsonText } from '@signalbox/contracts';

/** Postgres cannot store NUL or half of a surrogate pair. */
export const storableText = (text: string): string => text.replaceAll('\0', '\ufffd').toWellFormed();

// An escaped backslash is matched first, so that the text `\\u0000` stays what it is.
const UNSTORABLE = /\\(?:\\|u0000|ud[89a-f][0-9a-f]{2})/g;

/** As JSON text that Postgres can store as jsonb: providers may answer with anything. */
export function storableJson(value: unknown): string {
  const text = value instanceof JsonText ? value.text : JSON.stringify(value ?? null);
  // Few texts contain such an escape, and searching its prefix is far cheaper than matching every backslash.
  if (!text.includes('\\u')) return text;
  return text.replace(UNSTORABLE, (found) => (found === '\\\\' ? found : '\\ufffd'));
}
