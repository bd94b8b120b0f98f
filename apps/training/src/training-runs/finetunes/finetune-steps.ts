import { Injectable } from '@nestjs/common';
import { BusClient, serviceCaller, TryLater } from '@signalbox/bus';
import { ApiError, finetuneJobs, type FinetuneJobReport, type TrainingSplit } from '@signalbox/contracts';
import type { Job } from '@signalbox/platform';
import type { Attempt, LostReason, RunSteps } from '@signalbox/runs';
import {
  type FinetuneAct,
  isPassing,
  MAX_SILENCE_MS,
  nextAct,
  pollDelay,
  PROVIDER_CALL_MS,
  type RunningFinetune,
} from './finetune-run.js';
import { FinetuneReports } from './finetune-reports.repository.js';
import { FinetuneRuns } from './finetune-run-kind.js';

const RETRY_MS = 5000;
const MAX_RETRY_MS = 60_000;

interface Failure {
  failure_class: 'provider' | 'timeout' | 'internal';
  error_code: string;
  error_message: string;
}
type End = { failure: Failure } | { report: FinetuneJobReport };
type Act = FinetuneAct | End;
/** The state of the run is read again after the write. */
type FinetuneStepResult = { write: (job: Job) => Promise<void> };

const { endpoints } = finetuneJobs;
const providerFailed = (error_message: string, failure_class: Failure['failure_class'] = 'provider'): End => ({
  failure: { failure_class, error_code: failure_class === 'timeout' ? 'timeout' : 'provider_error', error_message },
});

/** Uploads files, creates a job at the provider and polls it until it ends. */
@Injectable()
export class FinetuneSteps implements RunSteps<RunningFinetune, Act, FinetuneStepResult> {
  constructor(
    private readonly runs: FinetuneRuns,
    private readonly reports: FinetuneReports,
    private readonly bus: BusClient,
  ) {}

  load(companyId: number, id: string): Promise<RunningFinetune | null> {
    return this.runs.load(companyId, id);
  }

  /** A queued job is polled like one that runs. */
  start(job: Job): Promise<RunningFinetune | null> {
    return this.load(job.companyId, job.ref);
  }

  next(run: RunningFinetune): FinetuneAct {
    return nextAct(run);
  }

  isEnd(act: Act): boolean {
    return typeof act === 'object';
  }

  async act(attempt: Attempt<RunningFinetune>, act: Act): Promise<{ made: FinetuneStepResult } | { end: Act }> {
    try {
      return await this.perform(attempt, act as FinetuneAct);
    } catch (error) {
      return { end: this.endOf(error, attempt.run) };
    }
  }

  private async perform(
    attempt: Attempt<RunningFinetune>,
    act: FinetuneAct,
  ): Promise<{ made: FinetuneStepResult } | { end: Act }> {
    if (act === 'validate') return { made: { write: (job) => this.reports.validate(job) } };
    if (act === 'upload_train') return this.upload(attempt, 'train');
    if (act === 'upload_validation') return this.upload(attempt, 'validation');
    return act === 'submit' ? this.submit(attempt) : this.poll(attempt);
  }

  private async upload(
    { job, run }: Attempt<RunningFinetune>,
    split: TrainingSplit,
  ): Promise<{ made: FinetuneStepResult }> {
    const isTrain = split === 'train';
    const file = {
      provider_id: run.provider_id,
      run_id: run.id,
      split,
      bytes: isTrain ? run.training_bytes : run.validation_bytes,
      lines: isTrain ? run.training_request_count : run.validation_request_count,
    };
    const { file_id } = await this.bus.call(endpoints.uploadTrainingFile, file, callerOf(job));
    const ids = isTrain ? { training_file_id: file_id } : { validation_file_id: file_id };
    return { made: { write: (by) => this.reports.keepFile(by, ids) } };
  }

  private async submit({ job, run }: Attempt<RunningFinetune>): Promise<{ made: FinetuneStepResult }> {
    const { provider_id, provider_model: model, hyperparameters, training_file_id, validation_file_id } = run;
    const { id } = await this.bus.call(
      endpoints.createFinetuneJob,
      {
        provider_id,
        model,
        training_file: training_file_id ?? '',
        validation_file: validation_file_id,
        ...hyperparameters,
        suffix: `run-${run.no}`,
      },
      callerOf(job),
    );
    return { made: { write: (by) => this.reports.queue(by, id) } };
  }

  /** A job that has not ended is polled again later; no worker is held until then. */
  private async poll({ job, run }: Attempt<RunningFinetune>): Promise<{ end: Act }> {
    const { provider_id, provider_job_id } = run;
    const path = { provider_id, job_id: provider_job_id ?? '' };
    const report = await this.bus.call(endpoints.readFinetuneJob, path, callerOf(job));
    const { status, error_message, fine_tuned_model } = report.job;
    if (status === 'succeeded' && fine_tuned_model) return { end: { report } };
    await this.reports.advance(job, report);
    if (status === 'succeeded') return { end: providerFailed('the job succeeded, but the provider names no model') };
    if (status === 'failed') return { end: providerFailed(error_message ?? 'the provider gave no reason') };
    if (status === 'cancelled') return { end: providerFailed('the job was cancelled at the provider') };
    throw new TryLater(pollDelay(Date.now() - run.date_created));
  }

  async record({ job, run }: Attempt<RunningFinetune>, { write }: FinetuneStepResult): Promise<Act | null> {
    await write(job);
    const after = await this.load(job.companyId, job.ref);
    if (!after) return null;
    Object.assign(run, after);
    return this.next(run);
  }

  async end({ job, run }: Attempt<RunningFinetune>, end: Act): Promise<void> {
    if (typeof end !== 'object') return;
    if ('failure' in end) return this.reports.fail(job, end.failure);
    const { no: finetune_run_id, base_model, provider_id, intent_group_id } = run;
    const provider_model = end.report.job.fine_tuned_model ?? '';
    const made = { finetune_run_id, base_model, provider_model, provider_id, intent_group_id };
    const model = await this.bus.call(endpoints.addFinetunedModel, made, callerOf(job));
    await this.reports.complete(job, end.report, model);
  }

  endLost(job: Job, reason: LostReason): Promise<void> {
    const error_message = reason === 'interrupted' ? 'its worker was lost five times' : 'its secrets are lost';
    return this.reports.fail(job, { failure_class: 'internal', error_code: reason, error_message });
  }

  /** An unreachable provider is called again for an hour; a refusal ends the run. */
  private endOf(error: unknown, run: RunningFinetune): End {
    if (!(error instanceof ApiError)) throw error;
    if (!isPassing(error)) return providerFailed(error.message);
    const silence = Date.now() - run.contacted_at;
    if (silence > MAX_SILENCE_MS)
      return providerFailed(error.message, error.kind === 'timeout' ? 'timeout' : 'provider');
    const pause = Math.min(MAX_RETRY_MS, Math.max(RETRY_MS, silence / 10));
    throw new TryLater(Math.max(pause, (error.extras.retryAfter ?? 0) * 1000));
  }
}

const callerOf = ({ companyId }: Job) => serviceCaller(companyId, Date.now() + PROVIDER_CALL_MS);
