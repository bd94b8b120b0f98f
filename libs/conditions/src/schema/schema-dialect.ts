import type { Schema } from './schema-keywords.js';

/** The supported drafts of JSON Schema. */
export const DIALECTS = ['2020-12', '2019-09', 'draft-07'] as const;
/** A draft of JSON Schema. */
export type Dialect = (typeof DIALECTS)[number];

/** The draft that a schema names; 2020-12 when it names none, null for an unsupported one. */
export function dialectOf({ $schema }: Schema): Dialect | null {
  if ($schema === undefined) return '2020-12';
  return (typeof $schema === 'string' && DIALECTS.find((dialect) => $schema.includes(`/${dialect}/schema`))) || null;
}
