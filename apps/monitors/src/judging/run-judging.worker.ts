import { Injectable } from '@nestjs/common';
import { JobHandler, serviceCaller } from '@signalbox/bus';
import type { SourcePayload } from '@signalbox/contracts';
import type { Job } from '@signalbox/platform';
import { judgeFailure } from './judge-failure.js';
import { Judge, type Judgement } from './judge.js';
import { judgementId } from './judgement-id.js';
import { type JudgedRun, type PendingRun, PendingRuns } from './pending-runs.repository.js';
import { SourceReader } from './source-reader.js';
import { monitorJobs } from '../jobs.js';

const READ_MS = 15_000;

/** A job is a batch of runs with one kind of source. */
@Injectable()
export class RunJudging {
  constructor(
    private readonly runs: PendingRuns,
    private readonly sources: SourceReader,
    private readonly judge: Judge,
  ) {}

  @JobHandler(monitorJobs.judgeByConditions, { concurrency: 4, onExhausted: 'giveUp' })
  judgeDirectly(job: Job, signal: AbortSignal): Promise<void> {
    return this.judgeBatch(job, signal);
  }

  @JobHandler(monitorJobs.judgeByModel, { concurrency: 16, onExhausted: 'giveUp' })
  judgeByModel(job: Job, signal: AbortSignal): Promise<void> {
    return this.judgeBatch(job, signal);
  }

  private async judgeBatch(job: Job, signal: AbortSignal): Promise<void> {
    const pending = await this.runs.load(job);
    const [first] = pending;
    if (!first) return;
    const caller = serviceCaller(job.companyId, Date.now() + READ_MS);
    const open = new Map(pending.map((run) => [run.source_id, [] as PendingRun[]]));
    for (const run of pending) open.get(run.source_id)?.push(run);
    for await (const payloads of this.sources.read(first.source_type, [...open.keys()], caller)) {
      const judged: JudgedRun[] = [];
      for (const payload of payloads) {
        for (const run of open.get(payload.source_id) ?? [])
          judged.push(await this.judgeOne(job, run, payload, signal));
        open.delete(payload.source_id);
      }
      await this.runs.store(job, judged);
    }
    const gone = [...open.values()].flat();
    await this.runs.store(
      job,
      gone.map((run) => ({
        run,
        judgement: failedBy('adapter', 'the source does not exist any longer, or is too large to be read'),
      })),
    );
  }

  private async judgeOne(
    job: Job,
    run: PendingRun,
    { payload }: SourcePayload,
    signal: AbortSignal,
  ): Promise<JudgedRun> {
    const { companyId } = job;
    const callId = judgementId(companyId, `run ${run.id} ${run.attempts}`);
    const task = { companyId, config: run.config, payload, runId: String(run.id), callId };
    return { run, judgement: await this.judge.judge(task, signal) };
  }

  async giveUp(job: Job): Promise<void> {
    const pending = await this.runs.load(job);
    const judgement = failedBy('internal', 'the run was interrupted five times');
    await this.runs.store(
      job,
      pending.map((run) => ({ run, judgement })),
    );
  }
}

const failedBy = (failure_class: 'adapter' | 'internal', message: string): Judgement => ({
  outcome: 'ERROR',
  failure: judgeFailure(failure_class, message, false),
  resolution_trace: [],
  runner_output: null,
  runner_duration_ms: 0,
  cost: null,
});
