export { RequestTags } from './request-tags.repository.js';
export { TagJudge } from './rules/tag-judge.js';
export type { AppliedRule } from './rules/tag-rule.js';
export { TagRules } from './rules/tag-rules.repository.js';
export { TaggableRequests } from './rules/taggable-requests.repository.js';
export { TagsModule } from './tags.module.js';
