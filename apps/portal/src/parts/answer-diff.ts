import { diffWordsWithSpace } from 'diff';
import { type Change, changesOf } from '../rules/changes.js';
import { isJsonObject } from '../rules/json-object.js';

/** `isChanged` parts are in this text only. */
export interface Part {
  text: string;
  isChanged: boolean;
}

export type AnswerDiff = { kind: 'fields'; changes: Change[] } | { kind: 'words'; older: Part[]; newer: Part[] };

/** Texts that take longer to compare are shown without marks. */
const LONGEST_MS = 100;

function fieldsOf(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

export function answerDiff(older: string, newer: string): AnswerDiff {
  const [before, after] = [fieldsOf(older), fieldsOf(newer)];
  if (before && after) return { kind: 'fields', changes: changesOf(before, after) };
  const parts = diffWordsWithSpace(older, newer, { timeout: LONGEST_MS });
  const whole = (text: string): Part[] => [{ text, isChanged: false }];
  if (parts === undefined) return { kind: 'words', older: whole(older), newer: whole(newer) };
  return {
    kind: 'words',
    older: parts.filter(({ added }) => !added).map(({ value, removed }) => ({ text: value, isChanged: removed })),
    newer: parts.filter(({ removed }) => !removed).map(({ value, added }) => ({ text: value, isChanged: added })),
  };
}
