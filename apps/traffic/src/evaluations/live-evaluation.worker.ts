import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { JobHandler, type JobWith } from '@signalbox/bus';
import { NO_USAGE, type RecordedRequest } from '@signalbox/contracts';
import { Database } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import {
  type AppliedSentinel,
  inGroups,
  judgesRequest,
  SentinelJudge,
  type SentinelResult,
  Sentinels,
} from '../judging/index.js';
import { TaggableRequests } from '../tags/index.js';
import { ResultWriter } from '../request-records/index.js';
import { trafficJobs } from '../jobs.js';

type RequestJob = JobWith<{ requestId: string }>;

const CONCURRENCY = 8;
/** Sentinels that judge one request concurrently. */
const AT_ONCE = 4;

/** Judges new requests by the enabled sentinels of their group, after they were recorded. */
@Injectable()
export class LiveEvaluation {
  constructor(
    private readonly db: Database,
    private readonly sentinels: Sentinels,
    private readonly requests: TaggableRequests,
    private readonly judge: SentinelJudge,
    private readonly results: ResultWriter,
  ) {}

  @JobHandler(trafficJobs.evaluateRequest, { concurrency: CONCURRENCY, onExhausted: 'endInterrupted' })
  evaluate(job: RequestJob, signal: AbortSignal): Promise<void> {
    return this.run(job, false, signal);
  }

  @JobHandler(trafficJobs.evaluateAndCorrectRequest, { concurrency: CONCURRENCY, onExhausted: 'endInterrupted' })
  evaluateAndCorrect(job: RequestJob, signal: AbortSignal): Promise<void> {
    return this.run(job, true, signal);
  }

  private async run(job: RequestJob, correct: boolean, signal: AbortSignal): Promise<void> {
    const request = await this.requests.find(job.companyId, job.payload.requestId);
    if (!request) return;
    const { request_id: requestId, params = {}, response } = request;
    const judged = { companyId: job.companyId, requestId, params, response, correct };
    const results = await inGroups(await this.sentinelsOf(job, request), AT_ONCE, async (sentinel) => [
      { sentinel, ...(await this.judge.judge(sentinel, judged, signal)) },
    ]);
    await this.store(job, request, results);
  }

  async endInterrupted(job: RequestJob): Promise<void> {
    const request = await this.requests.find(job.companyId, job.payload.requestId);
    if (!request) return;
    const sentinels = await this.sentinelsOf(job, request);
    await this.store(
      job,
      request,
      sentinels.map((sentinel) => ({ sentinel, ...INTERRUPTED })),
    );
  }

  private async sentinelsOf({ companyId }: Job, { intent_group_id, request_id }: RecordedRequest) {
    const enabled: AppliedSentinel[] =
      intent_group_id === null ? [] : await this.sentinels.enabledOf(companyId, intent_group_id);
    return enabled.filter((sentinel) => judgesRequest(sentinel, request_id));
  }

  private async store(job: Job, request: RecordedRequest, results: SentinelResult[]): Promise<void> {
    await this.db.withCompany({ companyId: job.companyId }, async (tx) => {
      await tx.requireFence(job);
      await this.results.store(tx, { request, results, passId: randomUUID() });
    });
  }
}

const INTERRUPTED = {
  status: 'ERROR' as const,
  failure_class: 'internal' as const,
  description: 'the evaluation was interrupted five times',
  confidence: null,
  correction: null,
  eval_time_ms: 0,
  usage: NO_USAGE,
};
