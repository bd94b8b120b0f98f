import { Injectable } from '@nestjs/common';
import { emission, type FinetuneJobReport, type FinetuneRun, trainingEvents } from '@signalbox/contracts';
import { type Tx } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import { NOW, runEvent } from '@signalbox/runs';
import { progressOf, type RunningFinetune } from './finetune-run.js';
import { FinetuneRuns } from './finetune-run-kind.js';
import {
  READ_RUN,
  INSERT_EVENTS,
  INSERT_METRICS,
  INSERT_CHECKPOINTS,
  INSERT_MESSAGE,
  SET_FIELDS,
} from './finetune-reports.sql.js';

type ProviderIds = Partial<Pick<RunningFinetune, 'training_file_id' | 'validation_file_id' | 'provider_job_id'>>;

/** SQL: each event, step and checkpoint is written once, in the transaction that advances its run. */
@Injectable()
export class FinetuneReports {
  constructor(private readonly runs: FinetuneRuns) {}

  validate(job: Job): Promise<void> {
    return this.runs.writes.fenced(job, job.ref, async (tx, run) => {
      await this.runs.writes.move(tx, run, 'validate');
      await this.appendLog(tx, run, `the run has ${run.training_request_count} requests for training`);
      return [runEvent('run.validating')];
    });
  }

  keepFile(job: Job, ids: ProviderIds): Promise<void> {
    return this.runs.writes.fenced(job, job.ref, async (tx, run) => {
      await this.set(tx, run, ids);
      return [];
    });
  }

  queue(job: Job, provider_job_id: string): Promise<void> {
    return this.runs.writes.fenced(job, job.ref, async (tx, run) => {
      await this.runs.writes.move(tx, run, 'queue', { provider_job_id, contacted_at: NOW });
      return [runEvent('run.queued')];
    });
  }

  /** Records what the job has done since the last report. */
  advance(job: Job, report: FinetuneJobReport): Promise<void> {
    return this.runs.writes.fenced(job, job.ref, (tx, run) => this.advanceIn(tx, run, report));
  }

  complete(job: Job, report: FinetuneJobReport, model: { id: number; model_name: string }): Promise<void> {
    return this.runs.writes.fenced(job, job.ref, async (tx, run) => {
      await this.advanceIn(tx, run, report);
      const made = { model_id: model.id, finetuned_model_name: model.model_name, progress: 100 };
      await this.runs.writes.move(tx, run, 'complete', made);
      return [runEvent('run.completed')];
    });
  }

  fail(job: Job, failure: { failure_class: string; error_code: string; error_message: string }): Promise<void> {
    return this.runs.writes.fenced(job, job.ref, async (tx, run) => {
      await this.appendLog(tx, run, failure.error_message, 'error');
      await this.runs.writes.move(tx, run, 'fail', failure);
      return [runEvent('run.failed')];
    });
  }

  private async advanceIn(tx: Tx, run: RunningFinetune, report: FinetuneJobReport) {
    const isStarted = report.job.status === 'running' || report.job.status === 'succeeded';
    if (run.status === 'QUEUED' && isStarted)
      run.status = (await this.runs.writes.move(tx, run, 'start', { started_at: NOW })).status;
    await this.save(tx, run, report);
    const { progress, losses } = progressOf(report, run.progress);
    await this.set(tx, run, losses ? { progress, metrics: JSON.stringify(losses) } : { progress });
    if (progress > run.progress) {
      const [record] = await tx.query<FinetuneRun>(READ_RUN, [tx.companyId, run.id]);
      if (record) tx.emit(emission(trainingEvents, 'finetune_run.progress', record.id, record));
      run.progress = progress;
    }
    return [];
  }

  private async save(tx: Tx, { id }: RunningFinetune, { events, checkpoints }: FinetuneJobReport): Promise<void> {
    const steps = events.flatMap(({ metrics, timestamp }) => (metrics ? [{ ...metrics, timestamp }] : []));
    await tx.query(INSERT_EVENTS, [tx.companyId, id, JSON.stringify(events)]);
    await tx.query(INSERT_METRICS, [tx.companyId, id, JSON.stringify(steps)]);
    await tx.query(INSERT_CHECKPOINTS, [tx.companyId, id, JSON.stringify(checkpoints)]);
  }

  private async set(tx: Tx, { id }: RunningFinetune, values: Record<string, unknown>): Promise<void> {
    await tx.query(SET_FIELDS(Object.keys(values)), [tx.companyId, id, ...Object.values(values)]);
  }

  private async appendLog(tx: Tx, { id }: RunningFinetune, message: string, level = 'info'): Promise<void> {
    await tx.query(INSERT_MESSAGE, [tx.companyId, id, level, message.slice(0, 1000)]);
  }
}
