import { patternType, utf8Type } from '../../fields/field-types.js';

const MAX_SCRIPT_BYTES = 262_144;

/** A script of at most 256 KiB of UTF-8. An empty one is refused by the service, with 422. */
export const scriptType = utf8Type(0, MAX_SCRIPT_BYTES);

const SLUG = '[a-z0-9][a-z0-9_-]{0,63}';
const NUMBER = '(0|[1-9]\\d{0,8})';

/** A child workflow: `ref`, `ref@1.2.3` or `ref@release`. */
export const nestedRefType = patternType(
  new RegExp(`^${SLUG}(@(${NUMBER}\\.${NUMBER}\\.${NUMBER}|${SLUG}))?$`),
  'a workflow such as ref, ref@1.2.3 or ref@release',
);
