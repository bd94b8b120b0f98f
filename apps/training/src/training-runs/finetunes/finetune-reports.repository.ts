import { Injectable } from '@nestjs/common';
import { emission, type FinetuneJobReport, type FinetuneRun, trainingEvents } from '@signalbox/contracts';
import { NOW_MS, type Tx } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import { NOW, recordSql, runEvent } from '@signalbox/runs';
import { progressOf, type RunningFinetune } from './finetune-run.js';
import { FINETUNE_FIELDS, FinetuneRuns } from './finetune-run-kind.js';

/** The ids that a provider has given out for a run. */
type ProviderIds = Partial<Pick<RunningFinetune, 'training_file_id' | 'validation_file_id' | 'provider_job_id'>>;

const RECORD = recordSql(FINETUNE_FIELDS);

/**
 * What providers report about runs.
 *
 * SQL: each event, step and checkpoint is written once, in the transaction that advances its run.
 */
@Injectable()
export class FinetuneReports {
  constructor(private readonly runs: FinetuneRuns) {}

  /** Begins a run. */
  validate(job: Job): Promise<void> {
    return this.runs.writes.fenced(job, job.ref, async (tx, run) => {
      await this.runs.writes.move(tx, run, 'validate');
      await this.say(tx, run, `the run has ${run.training_request_count} requests for training`);
      return [runEvent('run.validating')];
    });
  }

  /** Records a file that a provider has. */
  keepFile(job: Job, ids: ProviderIds): Promise<void> {
    return this.runs.writes.fenced(job, job.ref, async (tx, run) => {
      await this.set(tx, run, ids);
      return [];
    });
  }

  /** Records the job of a run. */
  queue(job: Job, provider_job_id: string): Promise<void> {
    return this.runs.writes.fenced(job, job.ref, async (tx, run) => {
      await this.runs.writes.move(tx, run, 'queue', { provider_job_id, contacted_at: NOW });
      return [runEvent('run.queued')];
    });
  }

  /** Records what a job has done since it was last read. */
  advance(job: Job, report: FinetuneJobReport): Promise<void> {
    return this.runs.writes.fenced(job, job.ref, (tx, run) => this.advanceIn(tx, run, report));
  }

  /** Ends a run whose job has made a model. */
  complete(job: Job, report: FinetuneJobReport, model: { id: number; model_name: string }): Promise<void> {
    return this.runs.writes.fenced(job, job.ref, async (tx, run) => {
      await this.advanceIn(tx, run, report);
      const made = { model_id: model.id, finetuned_model_name: model.model_name, progress: 100 };
      await this.runs.writes.move(tx, run, 'complete', made);
      return [runEvent('run.completed')];
    });
  }

  /** Ends a run without a model. */
  fail(job: Job, failure: { failure_class: string; error_code: string; error_message: string }): Promise<void> {
    return this.runs.writes.fenced(job, job.ref, async (tx, run) => {
      await this.say(tx, run, failure.error_message, 'error');
      await this.runs.writes.move(tx, run, 'fail', failure);
      return [runEvent('run.failed')];
    });
  }

  private async advanceIn(tx: Tx, run: RunningFinetune, report: FinetuneJobReport) {
    const isStarted = report.job.status === 'running' || report.job.status === 'succeeded';
    if (run.status === 'QUEUED' && isStarted)
      run.status = (await this.runs.writes.move(tx, run, 'start', { started_at: NOW })).status;
    await this.keep(tx, run, report);
    const { progress, losses } = progressOf(report, run.progress);
    await this.set(tx, run, losses ? { progress, metrics: JSON.stringify(losses) } : { progress });
    if (progress > run.progress) {
      const [record] = await tx.query<FinetuneRun>(
        `SELECT ${RECORD} FROM training.finetune_runs t WHERE t.company_id = $1 AND t.id = $2`,
        [tx.companyId, run.id],
      );
      if (record) tx.emit(emission(trainingEvents, 'finetune_run.progress', record.id, record));
      run.progress = progress;
    }
    return [];
  }

  private async keep(tx: Tx, { id }: RunningFinetune, { events, checkpoints }: FinetuneJobReport): Promise<void> {
    const steps = events.flatMap(({ metrics, timestamp }) => (metrics ? [{ ...metrics, timestamp }] : []));
    await tx.query(
      `INSERT INTO training.finetune_log (company_id, run_id, event_id, level, message, timestamp)
       SELECT $1, $2, e.id, e.level, e.message, e.timestamp
       FROM json_to_recordset($3::json) e(id text, level text, message text, timestamp bigint)
       ON CONFLICT (company_id, run_id, event_id) WHERE event_id IS NOT NULL DO NOTHING`,
      [tx.companyId, id, JSON.stringify(events)],
    );
    await tx.query(
      `INSERT INTO training.finetune_metrics (company_id, run_id, step, train_loss, validation_loss, timestamp)
       SELECT DISTINCT ON (m.step) $1::int, $2::uuid, m.step, m.train_loss, m.validation_loss, m.timestamp FROM json_to_recordset($3::json)
         m(step int, train_loss double precision, validation_loss double precision, timestamp bigint)
       ON CONFLICT DO NOTHING`,
      [tx.companyId, id, JSON.stringify(steps)],
    );
    await tx.query(
      `INSERT INTO training.finetune_checkpoints (company_id, run_id, step, model_name, metrics, timestamp)
       SELECT DISTINCT ON (c.step) $1::int, $2::uuid, c.step, c.model_name, c.metrics, ${NOW_MS} FROM json_to_recordset($3::json)
         c(step int, model_name text, metrics jsonb)
       ON CONFLICT DO NOTHING`,
      [tx.companyId, id, JSON.stringify(checkpoints)],
    );
  }

  private async set(tx: Tx, { id }: RunningFinetune, values: Record<string, unknown>): Promise<void> {
    const names = Object.keys(values);
    await tx.query(
      `UPDATE training.finetune_runs SET ${names.map((name, at) => `${name} = $${at + 3}, `).join('')}contacted_at = ${NOW_MS}
       WHERE company_id = $1 AND id = $2`,
      [tx.companyId, id, ...Object.values(values)],
    );
  }

  private async say(tx: Tx, { id }: RunningFinetune, message: string, level = 'info'): Promise<void> {
    await tx.query(
      `INSERT INTO training.finetune_log (company_id, run_id, level, message, timestamp) VALUES ($1, $2, $3, $4, ${NOW_MS})`,
      [tx.companyId, id, level, message.slice(0, 1000)],
    );
  }
}
