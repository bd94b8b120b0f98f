import type { Schema } from './schema-keywords.js';

export const DIALECTS = ['2020-12', '2019-09', 'draft-07'] as const;
export type Dialect = (typeof DIALECTS)[number];

/** 2020-12 by default, null when unsupported. */
export function dialectOf({ $schema }: Schema): Dialect | null {
  if ($schema === undefined) return '2020-12';
  return (typeof $schema === 'string' && DIALECTS.find((dialect) => $schema.includes(`/${dialect}/schema`))) || null;
}
