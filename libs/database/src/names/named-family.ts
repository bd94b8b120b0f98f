import type { FoundType } from '@signalbox/contracts';

/** A family of resources that can be found by name or id. Expressions are SQL over the alias `t`. */
export interface NamedFamily {
  type: FoundType;
  /** `schema.table`. */
  table: string;
  /** The name; absent for resources that have only an id. */
  name?: string;
  /** The id; default `t.id`. */
  id?: string;
  /** The type of the id; default `int`. */
  idType?: 'int' | 'uuid' | 'text';
  /** The path of the API, with `{id}` for the id and other columns by their names. */
  path: string;
  /** Condition for the existence; default `t.deleted_at IS NULL`. */
  alive?: string;
  /** The resource to which it belongs, in the same schema. */
  parent?: { type: FoundType; table: string; id: string; name: string };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const MAX_INT = 2_147_483_647;

/** True when a query is an id of the type. */
export function isIdOf(type: NamedFamily['idType'], query: string): boolean {
  if (type === 'uuid') return UUID.test(query);
  return type === 'text' || (/^[1-9]\d{0,9}$/.test(query) && Number(query) <= MAX_INT);
}

/** Between the words of a name. */
const SEPARATORS = /[-_./: ]/g;

/** A text as part of a pattern of LIKE in which any character may stand for a separator. */
export const anySeparator = (query: string): string =>
  query.trim().replaceAll(/[\\%]/g, '\\$&').replaceAll(SEPARATORS, '_');

/** The pattern of a word that begins with a text, once all separators are spaces; null for a text without separators. */
export function wordPattern(query: string): string | null {
  const words = query.trim().replaceAll(SEPARATORS, ' ');
  return words.includes(' ') ? `% ${words.replaceAll(/[\\%]/g, '\\$&')}%` : null;
}
