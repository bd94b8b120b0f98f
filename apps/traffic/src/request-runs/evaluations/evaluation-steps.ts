import { Injectable } from '@nestjs/common';
import type { RecordedRequest } from '@signalbox/contracts';
import type { Job } from '@signalbox/platform';
import { type Attempt, lostFailure, type LostReason, NOW, type RunSteps } from '@signalbox/runs';
import { type AppliedSentinel, inGroups, SentinelJudge, type SentinelVerdict } from '../../judging/index.js';
import { TaggableRequests } from '../../tags/index.js';
import { EvaluationProgress, type JudgedBatch, type RepeatedBatch } from './evaluation-progress.repository.js';
import { type EvaluationAct, nextAct, type RunningEvaluation } from './evaluation-run.js';
import { EvaluationRuns } from './evaluation-runs.repository.js';
import { type SelectionRange, type SelectedRequest, SelectedRequests } from './selected-requests.repository.js';

/** Requests per batch: after the loss of a worker, at most this many are judged again. */
const BATCH = 32;
/** Requests that are read and judged concurrently, each by one sentinel after the other. */
const AT_ONCE = 8;

type EvaluationStepResult = SelectionRange | JudgedBatch | RepeatedBatch;

/** Requests are counted, then judged in batches in the order of their recording. */
@Injectable()
export class EvaluationSteps implements RunSteps<RunningEvaluation, EvaluationAct, EvaluationStepResult> {
  constructor(
    private readonly runs: EvaluationRuns,
    private readonly progress: EvaluationProgress,
    private readonly selected: SelectedRequests,
    private readonly requests: TaggableRequests,
    private readonly judge: SentinelJudge,
  ) {}

  load(companyId: number, id: string): Promise<RunningEvaluation | null> {
    return this.runs.load(companyId, id);
  }

  async start(job: Job): Promise<RunningEvaluation | null> {
    await this.runs.writes.fenced(job, job.ref, async (tx, run) => {
      await this.runs.writes.move(tx, run, 'start', { started_at: NOW });
      return [];
    });
    return this.load(job.companyId, job.ref);
  }

  next(run: RunningEvaluation): EvaluationAct {
    return nextAct(run);
  }

  isEnd(act: EvaluationAct): boolean {
    return act === 'complete' || act === 'fail';
  }

  async act(
    { job, run, signal }: Attempt<RunningEvaluation>,
    act: EvaluationAct,
  ): Promise<{ made: EvaluationStepResult }> {
    const { companyId } = job;
    if (act === 'count') return { made: await this.selected.extent(companyId, run) };
    if (act === 'repeat') return { made: await this.repeat(companyId, run, signal) };
    const range = { cursor: run.cursor, upto: run.upto ?? 0 };
    const keys = await this.selected.after(companyId, run, range, BATCH);
    const requests = await inGroups(keys, AT_ONCE, (key) => this.judged(companyId, run, key, signal));
    return { made: { cursor: keys.length < BATCH ? range.upto : (keys.at(-1)?.id ?? range.upto), requests } };
  }

  async record({ job, run }: Attempt<RunningEvaluation>, made: EvaluationStepResult): Promise<EvaluationAct> {
    if ('upto' in made) {
      await this.progress.begin(job, made);
      run.upto = made.upto;
      run.cursor = made.cursor;
    } else if ('requests' in made) {
      Object.assign(run, await this.progress.record(job, made));
      run.cursor = made.cursor;
    } else {
      Object.assign(run, await this.progress.recordRepeated(job, made));
      run.reset_cursor = made.reset_cursor;
    }
    return this.next(run);
  }

  async end({ job }: Attempt<RunningEvaluation>, act: EvaluationAct): Promise<void> {
    if (act === 'complete') return this.runs.writes.moveByJob(job, 'complete');
    const run = await this.load(job.companyId, job.ref);
    const error_message = `none of its judgements succeeded: ${run?.last_error}`;
    return this.runs.writes.moveByJob(job, 'fail', { failure_class: 'judge', error_code: 'judge', error_message });
  }

  endLost(job: Job, error_code: LostReason): Promise<void> {
    return this.runs.writes.moveByJob(job, 'fail', lostFailure(error_code));
  }

  private async judged(companyId: number, run: RunningEvaluation, key: SelectedRequest, signal: AbortSignal) {
    const request = await this.requests.find(companyId, key.request_id);
    // The request was deleted meanwhile.
    if (!request) return [];
    const results = await inGroups(run.sentinels, 1, async (sentinel) => {
      return [{ sentinel, ...(await this.verdict(companyId, run, sentinel, request, signal)) }];
    });
    return [{ request: key, results }];
  }

  private async repeat(companyId: number, run: RunningEvaluation, signal: AbortSignal): Promise<RepeatedBatch> {
    const failed = await this.progress.failed(companyId, run, BATCH);
    const ofRequests = [...new Set(failed.map(({ request_id }) => request_id))];
    const repeated = await inGroups(ofRequests, AT_ONCE, async (requestId) => {
      const request = await this.requests.find(companyId, requestId);
      const ofRequest = request ? failed.filter(({ request_id }) => request_id === requestId) : [];
      return inGroups(ofRequest, 1, async (each) => {
        const sentinel = run.sentinels.find(({ id }) => id === each.sentinel_id);
        if (!sentinel || !request) return [];
        return [{ failed: each, verdict: await this.verdict(companyId, run, sentinel, request, signal) }];
      });
    });
    const upto = run.reset_upto ?? 0;
    return { reset_cursor: failed.length < BATCH ? upto : (failed.at(-1)?.id ?? upto), repeated };
  }

  private verdict(
    companyId: number,
    { id }: RunningEvaluation,
    sentinel: AppliedSentinel,
    { request_id: requestId, params = {}, response }: RecordedRequest,
    signal: AbortSignal,
  ): Promise<SentinelVerdict> {
    return this.judge.judge(sentinel, { companyId, requestId, originId: id, params, response, correct: false }, signal);
  }
}
