import { isJsonObject } from './json-object.js';

type Fields = Record<string, unknown>;

/** Fields of nested objects have dotted names. */
export interface Change {
  field: string;
  before: unknown;
  after: unknown;
}

/** Changed by every write. */
const ALWAYS = new Set(['date_updated', 'date_created']);

export function changesOf(before: Fields | null, after: Fields | null, within = ''): Change[] {
  if (!before || !after) return [];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((name) => !ALWAYS.has(name));
  return names.flatMap((name) => {
    const [old, now] = [before[name], after[name]];
    if (JSON.stringify(old) === JSON.stringify(now)) return [];
    if (isJsonObject(old) && isJsonObject(now)) return changesOf(old, now, `${within}${name}.`);
    return [{ field: within + name, before: old, after: now }];
  });
}

export const wordsOf = (name: string): string => name.replaceAll('_', ' ');
