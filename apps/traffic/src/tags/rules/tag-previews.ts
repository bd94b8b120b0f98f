import { Injectable } from '@nestjs/common';
import type { Caller, RecordedRequest, RequestFilter, TagVerdict } from '@signalbox/contracts';
import { inGroups } from '../../judging/index.js';
import type { AppliedRule } from './tag-rule.js';
import { TagJudge } from './tag-judge.js';
import { TaggableRequests } from './taggable-requests.repository.js';

/** Requests that are read and judged concurrently. */
const AT_ONCE = 8;

@Injectable()
export class TagPreviews {
  constructor(
    private readonly judge: TagJudge,
    private readonly requests: TaggableRequests,
  ) {}

  async ofRequest(caller: Caller, rule: AppliedRule, requestId: string, signal = never()): Promise<TagVerdict[]> {
    const request = await this.requests.get(caller.companyId, requestId);
    return [await this.verdictOf(caller, rule, request, signal)];
  }

  async ofFilter(
    caller: Caller,
    rule: AppliedRule,
    filter: RequestFilter,
    limit: number,
    signal = never(),
  ): Promise<TagVerdict[]> {
    const newest = await this.requests.newest(caller.companyId, filter, limit);
    return inGroups(newest, AT_ONCE, async ({ request_id }) => {
      const request = await this.requests.find(caller.companyId, request_id);
      return request ? [await this.verdictOf(caller, rule, request, signal)] : [];
    });
  }

  private async verdictOf({ companyId }: Caller, rule: AppliedRule, request: RecordedRequest, signal: AbortSignal) {
    const { matched, failure_class } = await this.judge.judge(companyId, rule, request, signal);
    return { request_id: request.request_id, matched, failure_class };
  }
}

const never = (): AbortSignal => new AbortController().signal;
