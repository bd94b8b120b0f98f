import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type Caller, conflict, earlierReply, type EvaluationResult, type RecordedRequest } from '@signalbox/contracts';
import { Database } from '@signalbox/database';
import { RequestReader } from '../request-reads/index.js';
import { type AppliedSentinel, EvaluationResults, inGroups, SentinelJudge, Sentinels } from '../judging/index.js';
import { ResultWriter } from '../request-records/index.js';

/** Sentinels that judge one request concurrently. */
const AT_ONCE = 4;

@Injectable()
export class RequestEvaluation {
  constructor(
    private readonly db: Database,
    private readonly requests: RequestReader,
    private readonly sentinels: Sentinels,
    private readonly judge: SentinelJudge,
    private readonly writer: ResultWriter,
    private readonly results: EvaluationResults,
  ) {}

  /**
   * Returns the stored results; 409 for a request without an answer. Without ids the enabled sentinels of its group
   * judge.
   */
  async evaluate(
    caller: Caller,
    requestId: string,
    sentinelIds: readonly number[] | undefined,
    signal: AbortSignal,
  ): Promise<EvaluationResult[]> {
    const earlier = earlierReply<EvaluationResult[]>(caller);
    if (earlier) return earlier;
    const { companyId, deadline } = caller;
    const request = JSON.parse((await this.requests.get(companyId, requestId)).text) as RecordedRequest;
    const { params = {}, response } = request;
    if (response == null) throw conflict(`request ${requestId} is ${request.status} and has no response`);
    const judging = await this.judging(companyId, request.intent_group_id ?? 0, sentinelIds);
    const judged = { companyId, requestId, params, response, correct: true, deadline };
    const results = await inGroups(judging, AT_ONCE, async (sentinel) => [
      { sentinel, ...(await this.judge.judge(sentinel, judged, signal)) },
    ]);
    return this.db.withCompany(caller, async (tx) => {
      const ids = await this.writer.store(tx, { request, results, passId: randomUUID() });
      return this.results.readIn(tx, ids);
    });
  }

  private judging(
    companyId: number,
    groupId: number,
    sentinelIds: readonly number[] | undefined,
  ): Promise<AppliedSentinel[]> {
    return sentinelIds === undefined
      ? this.sentinels.enabledOf(companyId, groupId)
      : this.sentinels.named(companyId, [...new Set(sentinelIds)], groupId);
  }
}
