import { type StoredRuns, storedRuns, tablesOf } from '@signalbox/runs';
import { FINETUNE_SCHEMA } from '../../migrations/finetune-schema.js';

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

export const STORED_FINETUNES: StoredRuns = storedRuns({
  tables: tablesOf(FINETUNE_SCHEMA),
  columns: `t.id, t.no, t.status, t.last_seq, t.has_secrets, t.intent_group_id, t.base_model, t.provider_id, t.provider_model,
    t.hyperparameters, t.training_request_count, t.validation_request_count, t.training_bytes, t.validation_bytes,
    t.training_file_id, t.validation_file_id, t.provider_job_id, t.progress, t.contacted_at, t.date_created, t.completed_at`,
  timelineColumns: [],
});
