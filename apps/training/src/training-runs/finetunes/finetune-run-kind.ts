import { Injectable } from '@nestjs/common';
import type { FinetuneRun } from '@signalbox/contracts';
import { Database, type Tx } from '@signalbox/database';
import { recordSql, RUN_EVENTS, type RunKind, RunNotifications, Runs, StreamSubscribers } from '@signalbox/runs';
import { finetuneStates, type FinetuneTrigger, lifecycle, type RunningFinetune } from './finetune-run.js';
import { FINETUNE_FIELDS, STORED_FINETUNES } from './finetune-run-kind.sql.js';

export const FINETUNE_WORK = 'finetune_run';
/** Cancels the job of an ended run at its provider. */
export const CANCEL_WORK = 'finetune_cancel';

/** Pause before looking for a job whose creation was under way when its run was cancelled. */
const LOST_JOB_MS = 10_000;

const FINETUNES: RunKind<RunningFinetune, FinetuneTrigger, FinetuneRun> = {
  ...STORED_FINETUNES,
  ...RUN_EVENTS,
  noun: 'finetune run',
  work: FINETUNE_WORK,
  states: finetuneStates,
  record: recordSql(FINETUNE_FIELDS),
  lifecycle,
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
