import { Inject, Injectable } from '@nestjs/common';
import { JobHandler, type JobWith } from '@signalbox/bus';
import { Database } from '@signalbox/database';
import { LOGGER, type Logger } from '@signalbox/platform';
import { RequestTags } from '../request-tags.repository.js';
import { inGroups } from '../../judging/index.js';
import { trafficJobs } from '../../jobs.js';
import { TagJudge } from './tag-judge.js';
import { TagRules } from './tag-rules.repository.js';
import { TaggableRequests } from './taggable-requests.repository.js';

const CONCURRENCY = 8;

@Injectable()
export class AutoTagging {
  constructor(
    private readonly db: Database,
    private readonly rules: TagRules,
    private readonly judge: TagJudge,
    private readonly requests: TaggableRequests,
    private readonly tags: RequestTags,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  @JobHandler(trafficJobs.tagRequest, { concurrency: CONCURRENCY })
  async tag(job: JobWith<{ requestId: string }>, signal: AbortSignal): Promise<void> {
    const { companyId, payload } = job;
    const rules = await this.rules.forNewRequests(companyId);
    const request = rules.length === 0 ? null : await this.requests.find(companyId, payload.requestId);
    if (!request) return;
    const judged = await inGroups(rules, 1, async (rule) => [
      { rule, ...(await this.judge.judge(companyId, rule, request, signal)) },
    ]);
    for (const { rule, failure_class, problem } of judged)
      if (failure_class)
        this.logger.warn(
          { company_id: companyId, rule_id: rule.id, failure_class, problem },
          'a new request could not be judged by a tag rule',
        );
    const { request_id, date_created } = request;
    const matches = judged
      .filter(({ matched }) => matched)
      .map(({ rule: { tag_id } }) => ({ tag_id, request_id, date_created }));
    if (matches.length === 0) return;
    await this.db.withCompany({ companyId }, async (tx) => {
      await tx.requireFence(job);
      await this.tags.assign(tx, matches);
    });
  }
}
