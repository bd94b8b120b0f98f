import { Injectable } from '@nestjs/common';
import type { FinetuneRun } from '@signalbox/contracts';
import { Database, type Tx } from '@signalbox/database';
import {
  recordSql,
  runEventTemplates,
  type RunKind,
  RunNotifications,
  Runs,
  StreamSubscribers,
  streamTypes,
  tablesOf,
} from '@signalbox/runs';
import { finetuneStates, type FinetuneTrigger, lifecycle, type RunningFinetune } from './finetune-run.js';
import { FINETUNE_SCHEMA } from '../../migrations/finetune-schema.js';

export const FINETUNE_WORK = 'finetune_run';
/** Cancels the job of an ended run at its provider. */
export const CANCEL_WORK = 'finetune_cancel';

/** Pause before looking for a job whose creation was under way when its run was cancelled. */
const LOST_JOB_MS = 10_000;

/** Over the alias `t`. */
export const FINETUNE_FIELDS: Readonly<Record<string, string>> = {
  id: 't.no',
  date_updated: 'COALESCE(t.completed_at, t.contacted_at)',
  ...Object.fromEntries(
    [
      'run_name',
      'composition_id',
      'intent_group_id',
      'base_model',
      'model_id',
      'finetuned_model_name',
      'provider_id',
      'provider_job_id',
      'hyperparameters',
      'status',
      'progress',
      'metrics',
      'training_request_count',
      'validation_request_count',
      'error_message',
      'failure_class',
      'started_at',
      'completed_at',
      'date_created',
    ].map((name) => [name, `t.${name}`]),
  ),
};

const FINETUNES: RunKind<RunningFinetune, FinetuneTrigger, FinetuneRun> = {
  noun: 'finetune run',
  work: FINETUNE_WORK,
  states: finetuneStates,
  tables: tablesOf(FINETUNE_SCHEMA),
  columns: `t.id, t.no, t.status, t.last_seq, t.has_secrets, t.intent_group_id, t.base_model, t.provider_id, t.provider_model,
    t.hyperparameters, t.training_request_count, t.validation_request_count, t.training_bytes, t.validation_bytes,
    t.training_file_id, t.validation_file_id, t.provider_job_id, t.progress, t.contacted_at, t.date_created`,
  timelineColumns: [],
  streamTypes: streamTypes('run'),
  record: recordSql(FINETUNE_FIELDS),
  lifecycle,
  eventTemplates: runEventTemplates('run'),
  // Any end may leave a job at the provider; cancelling finds out when the job has ended by itself.
  ended: (tx: Tx, { id, provider_job_id, training_file_id }) => {
    if (training_file_id !== null) tx.addWork(CANCEL_WORK, id, provider_job_id === null ? LOST_JOB_MS : 0);
    return Promise.resolve();
  },
};

@Injectable()
export class FinetuneRuns extends Runs<RunningFinetune, FinetuneTrigger, FinetuneRun> {
  constructor(db: Database, notifications: RunNotifications, subscribers: StreamSubscribers) {
    super(FINETUNES, db, notifications, subscribers);
  }
}
