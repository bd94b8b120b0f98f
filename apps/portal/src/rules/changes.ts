type Fields = Record<string, unknown>;

/** A field that a write has left different; the fields of nested objects have dotted names. */
export interface Change {
  field: string;
  before: unknown;
  after: unknown;
}

/** These follow from every write. */
const ALWAYS = new Set(['date_updated', 'date_created']);

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What differs between two states of a thing, in the order of its fields; nothing for one created or deleted. */
export function changesOf(before: Fields | null, after: Fields | null, within = ''): Change[] {
  if (!before || !after) return [];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => !ALWAYS.has(name));
  return names.flatMap((name) => {
    const [old, now] = [before[name], after[name]];
    if (JSON.stringify(old) === JSON.stringify(now)) return [];
    if (isFields(old) && isFields(now)) return changesOf(old, now, `${within}${name}.`);
    return [{ field: within + name, before: old, after: now }];
  });
}

/** A name of the API as words. */
export const wordsOf = (name: string): string => name.replaceAll('_', ' ');
