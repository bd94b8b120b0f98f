import { Module } from '@nestjs/common';
import { EvaluationModule } from '@signalbox/conditions';
import { RequestReadsModule } from '../request-reads/index.js';
import { WatchedCompaniesModule } from '../watched-companies/index.js';
import { RequestTags } from './request-tags.repository.js';
import { AutoTagging } from './rules/auto-tagging.worker.js';
import { TagJudge } from './rules/tag-judge.js';
import { TagPreviews } from './rules/tag-previews.js';
import { TagRuleHandlers } from './rules/tag-rules.handlers.js';
import { TagRules } from './rules/tag-rules.repository.js';
import { TaggableRequests } from './rules/taggable-requests.repository.js';
import { TagHandlers } from './tags.handlers.js';
import { Tags } from './tags.repository.js';

@Module({
  imports: [EvaluationModule, RequestReadsModule, WatchedCompaniesModule],
  controllers: [TagHandlers, TagRuleHandlers],
  providers: [AutoTagging, RequestTags, TagJudge, TagPreviews, TagRules, TaggableRequests, Tags],
  exports: [RequestTags, TagJudge, TagRules, TaggableRequests],
})
export class TagsModule {}
