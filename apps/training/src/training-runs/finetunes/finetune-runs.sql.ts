import { txStatement, readStatement, NOW_MS, type View } from '@signalbox/database';
import { FINETUNE_FIELDS } from './finetune-run-kind.sql.js';

export const view: View = {
  resource: 'finetune run',
  table: 'training.finetune_runs',
  key: 'no',
  columns: [],
  computed: FINETUNE_FIELDS,
  filters: {
    status: 't.status = ?',
    intent_group_id: 't.intent_group_id = ?',
    composition_id: 't.composition_id = ?',
  },
  search: ['t.run_name', 't.base_model', 't.finetuned_model_name'],
  sort: {
    run_name: 't.run_name',
    started_at: 't.started_at',
    completed_at: 't.completed_at',
    date_updated: FINETUNE_FIELDS.date_updated ?? '',
  },
};

export const FIND_ID = readStatement(
  { index: 'finetune_runs_no' },
  `SELECT x.* FROM s, LATERAL (SELECT t.id FROM training.finetune_runs t
   WHERE t.company_id = s.company AND t.no = $2 AND t.deleted_at IS NULL OFFSET 0) x`,
);

export const STORE_EXTENT = txStatement(
  { index: 'finetune_runs_pkey' },
  `UPDATE training.finetune_runs SET training_request_count = $3, validation_request_count = $4, training_bytes = $5,
   validation_bytes = $6 WHERE company_id = $1 AND id = $2`,
);

export const LOCK_COMPOSITION = txStatement(
  { index: 'compositions_pkey' },
  'SELECT 1 FROM training.compositions WHERE company_id = $1 AND id = $2 AND deleted_at IS NULL FOR SHARE',
);

export const LOCK_RUN = txStatement(
  { index: 'finetune_runs_no' },
  `SELECT t.id, t.no, t.status FROM training.finetune_runs t
   WHERE t.company_id = $1 AND t.no = $2 AND t.deleted_at IS NULL FOR UPDATE`,
);

export const DELETE_RUN = txStatement(
  { index: 'finetune_runs_pkey' },
  `UPDATE training.finetune_runs SET deleted_at = ${NOW_MS} WHERE company_id = $1 AND id = $2`,
);

export const DELETE_ROWS = txStatement(
  { index: 'finetune_rows_pkey' },
  'DELETE FROM training.finetune_rows WHERE company_id = $1 AND run_id = $2',
);

export const COUNT_OPEN_RUNS = readStatement(
  { index: 'finetune_runs_open' },
  `SELECT x.* FROM s, LATERAL (SELECT count(*)::int AS runs FROM training.finetune_runs t
   WHERE t.company_id = s.company AND t.base_model = $2 AND t.completed_at IS NULL OFFSET 0) x`,
);
