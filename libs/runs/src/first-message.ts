import type { Message } from '@signalbox/contracts';

const SHOWN = 200;

/** The first message of the user, else the first of all: its text, or that of its first text part. */
export function firstTextOf(messages: readonly Message[]): string | null {
  const message = messages.find(({ role }) => role === 'user') ?? messages[0];
  const content = message?.content;
  if (typeof content === 'string') return content;
  return content?.find(({ type }) => type === 'text')?.text ?? null;
}

/**
 * The value of the column `first_message`, with which lists leave the whole input unread: its beginning in characters
 * as Postgres counts them, '' when there is no text. Null where the input has to say it: an empty text, and rows of
 * earlier releases.
 */
export function shownFirst(text: string | null): string | null {
  if (text === null) return '';
  const beginning = [...text.slice(0, 2 * SHOWN)].slice(0, SHOWN).join('');
  return beginning === '' ? null : beginning;
}

/** SQL over `t`, given what the input says. */
export const firstMessageSql = (ofInput: string): string =>
  `CASE WHEN t.first_message IS NULL THEN ${ofInput} ELSE NULLIF(t.first_message, '') END`;
