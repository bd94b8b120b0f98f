import { Injectable } from '@nestjs/common';
import type { Job } from '@signalbox/platform';
import { type Attempt, lostFailure, type LostReason, NOW, type RunSteps } from '@signalbox/runs';
import { inGroups } from '../../judging/index.js';
import { TaggableRequests, TagJudge } from '../../tags/index.js';
import { type BatchResult, nextAct, type RunningTagRun, type TagRunAct } from './tag-run.js';
import { TagRunProgress } from './tag-run-progress.repository.js';
import { TagRuns } from './tag-runs.repository.js';

/** Requests per batch: after the loss of a worker, at most this many are judged again. */
const BATCH = 32;
/** Requests that are read and judged concurrently, each by one rule after the other. */
const AT_ONCE = 8;

type TagStepResult = { count: number; upto: number } | BatchResult;

/** Requests are counted, then judged in batches in the order of their recording. */
@Injectable()
export class TagRunSteps implements RunSteps<RunningTagRun, TagRunAct, TagStepResult> {
  constructor(
    private readonly runs: TagRuns,
    private readonly progress: TagRunProgress,
    private readonly requests: TaggableRequests,
    private readonly judge: TagJudge,
  ) {}

  load(companyId: number, id: string): Promise<RunningTagRun | null> {
    return this.runs.load(companyId, id);
  }

  async start(job: Job): Promise<RunningTagRun | null> {
    await this.runs.writes.fenced(job, job.ref, async (tx, run) => {
      await this.runs.writes.move(tx, run, 'start', { started_at: NOW });
      return [];
    });
    return this.load(job.companyId, job.ref);
  }

  next(run: RunningTagRun): TagRunAct {
    return nextAct(run);
  }

  isEnd(act: TagRunAct): boolean {
    return act === 'complete' || act === 'fail';
  }

  async act({ job, run, signal }: Attempt<RunningTagRun>, act: TagRunAct): Promise<{ made: TagStepResult }> {
    if (act === 'count') return { made: await this.requests.extent(job.companyId, run.filters) };
    const range = { cursor: run.cursor, upto: run.upto ?? 0 };
    const keys = await this.requests.after(job.companyId, run.filters, range, BATCH);
    const judged = await inGroups(keys, AT_ONCE, ({ request_id }) =>
      this.judged(job.companyId, run, request_id, signal),
    );
    const errors = judged.filter(({ failure_class }) => failure_class !== null);
    return {
      made: {
        cursor: keys.length < BATCH ? range.upto : (keys.at(-1)?.id ?? range.upto),
        processed: keys.length,
        judgements: judged.length,
        errors: errors.length,
        last_error: errors.at(-1)?.problem ?? null,
        matches: judged.filter(({ matched }) => matched),
      },
    };
  }

  private async judged(companyId: number, { rules }: RunningTagRun, requestId: string, signal: AbortSignal) {
    const request = await this.requests.find(companyId, requestId);
    if (!request) return [];
    const { request_id, date_created } = request;
    return inGroups(rules, 1, async (rule) => {
      const judgement = await this.judge.judge(companyId, rule, request, signal);
      return [{ ...judgement, tag_id: rule.tag_id, request_id, date_created }];
    });
  }

  async record({ job, run }: Attempt<RunningTagRun>, made: TagStepResult): Promise<TagRunAct> {
    if ('upto' in made) {
      await this.progress.begin(job, made);
      run.upto = made.upto;
    } else {
      await this.progress.record(job, made);
      run.cursor = made.cursor;
      run.judgements += made.judgements;
      run.errors += made.errors;
      run.last_error = made.last_error ?? run.last_error;
    }
    return this.next(run);
  }

  end({ job, run }: Attempt<RunningTagRun>, act: TagRunAct): Promise<void> {
    if (act === 'complete') return this.runs.writes.moveByJob(job, 'complete');
    const error_message = `none of its judgements succeeded: ${run.last_error}`;
    return this.runs.writes.moveByJob(job, 'fail', { failure_class: 'judge', error_code: 'judge', error_message });
  }

  endLost(job: Job, error_code: LostReason): Promise<void> {
    return this.runs.writes.moveByJob(job, 'fail', lostFailure(error_code));
  }
}
