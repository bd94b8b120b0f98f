import { Inject, Injectable } from '@nestjs/common';
import { BusClient, serviceCaller, TryLater } from '@signalbox/bus';
import { ApiError, finetuneJobs } from '@signalbox/contracts';
import { LOGGER, type Job, type Logger } from '@signalbox/platform';
import type { RunJobs } from '@signalbox/runs';
import { isPassing, MAX_SILENCE_MS, PROVIDER_CALL_MS } from './finetune-run.js';
import { CANCEL_WORK, FinetuneRuns } from './finetune-run-kind.js';

const CALL_MS = 60_000;
const RETRY_MS = 30_000;

/** Cancels jobs at providers whose runs ended before them. */
@Injectable()
export class JobCancellation {
  constructor(
    private readonly runs: FinetuneRuns,
    private readonly bus: BusClient,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  readonly jobs: RunJobs = {
    work: CANCEL_WORK,
    held: false,
    run: (job) => this.cancel(job),
    onExhausted: (job) => this.giveUp(job),
  };

  private async cancel(job: Job): Promise<void> {
    const run = await this.runs.load(job.companyId, job.ref);
    if (!run || run.status === 'COMPLETED') return;
    const { provider_id, provider_job_id: job_id, training_file_id: training_file, completed_at } = run;
    const input = { provider_id, job_id, training_file };
    const caller = serviceCaller(job.companyId, Date.now() + CALL_MS);
    const { cancelled } = await this.bus
      .call(finetuneJobs.endpoints.cancelFinetuneJob, input, caller)
      .catch((error: unknown) => later(error, completed_at ?? 0));
    // The call that creates the job may still be under way.
    const mayFollow = job_id === null && Date.now() - (completed_at ?? 0) < PROVIDER_CALL_MS;
    if (!cancelled && mayFollow) throw new TryLater(RETRY_MS);
  }

  private giveUp({ companyId, ref }: Job): Promise<void> {
    this.logger.warn({ company_id: companyId, run_id: ref }, 'the job of an ended finetune run could not be cancelled');
    return Promise.resolve();
  }
}

/** A job costs money until it is cancelled, so a provider that is down is called again as long as one that trains. */
function later(error: unknown, endedAt: number): never {
  if (!(error instanceof ApiError) || !isPassing(error)) throw error;
  if (error.kind !== 'unavailable' && Date.now() - endedAt > MAX_SILENCE_MS) throw error;
  throw new TryLater(Math.max(RETRY_MS, (error.extras.retryAfter ?? 0) * 1000));
}
