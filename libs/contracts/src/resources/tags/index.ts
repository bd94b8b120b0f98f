import type { tagRules } from './tag-rules.js';
import type { tagRuns } from './tag-runs.js';
import type { tags } from './tags.js';

export * from './tag-rules.js';
export * from './tag-runs.js';
export * from './tags.js';

/** One of the contracts of this folder, with the types of its endpoints. */
export type TagContract = typeof tags | typeof tagRules | typeof tagRuns;
