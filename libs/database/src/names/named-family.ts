import type { FoundType } from '@signalbox/contracts';

/** Resources that can be found by name or id. Expressions are SQL over the alias `t`. */
export interface NamedFamily {
  type: FoundType;
  table: string;
  /** Absent for resources that have only an id. */
  name?: string;
  /** Default `t.id`. */
  id?: string;
  /** Default `int`. */
  idType?: 'int' | 'uuid' | 'text';
  /** With `{id}` for the id and other columns by their names. */
  path: string;
  /** Condition for the existence; default `t.deleted_at IS NULL`. */
  alive?: string;
  parent?: { type: FoundType; table: string; id: string; name: string };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const MAX_INT = 2_147_483_647;

export function isIdOf(type: NamedFamily['idType'], query: string): boolean {
  if (type === 'uuid') return UUID.test(query);
  return type === 'text' || (/^[1-9]\d{0,9}$/.test(query) && Number(query) <= MAX_INT);
}

const SEPARATORS = /[-_./: ]/g;

/** A part of a LIKE pattern in which any character may stand for a separator. */
export const anySeparator = (query: string): string =>
  query.trim().replaceAll(/[\\%]/g, '\\$&').replaceAll(SEPARATORS, '_');

/** The pattern of a word prefix, once all separators are spaces; null for a text without separators. */
export function wordPattern(query: string): string | null {
  const words = query.trim().replaceAll(SEPARATORS, ' ');
  return words.includes(' ') ? `% ${words.replaceAll(/[\\%]/g, '\\$&')}%` : null;
}
