import { composed, NOW_MS, txStatement } from '@signalbox/database';
import { recordSql } from '@signalbox/runs';
import { FINETUNE_FIELDS } from './finetune-run-kind.sql.js';

const RECORD = recordSql(FINETUNE_FIELDS);

export const READ_RUN = txStatement(
  { index: 'finetune_runs_pkey' },
  `SELECT ${RECORD} FROM training.finetune_runs t WHERE t.company_id = $1 AND t.id = $2`,
);

export const INSERT_EVENTS = txStatement(
  { index: 'finetune_log_event' },
  `INSERT INTO training.finetune_log (company_id, run_id, event_id, level, message, timestamp)
   SELECT $1, $2, e.id, e.level, e.message, e.timestamp
   FROM json_to_recordset($3::json) e(id text, level text, message text, timestamp bigint)
   ON CONFLICT (company_id, run_id, event_id) WHERE event_id IS NOT NULL DO NOTHING`,
);

export const INSERT_METRICS = txStatement(
  { index: null },
  `INSERT INTO training.finetune_metrics (company_id, run_id, step, train_loss, validation_loss, timestamp)
   SELECT DISTINCT ON (m.step) $1::int, $2::uuid, m.step, m.train_loss, m.validation_loss, m.timestamp FROM json_to_recordset($3::json)
     m(step int, train_loss double precision, validation_loss double precision, timestamp bigint)
   ON CONFLICT DO NOTHING`,
);

export const INSERT_CHECKPOINTS = txStatement(
  { index: null },
  `INSERT INTO training.finetune_checkpoints (company_id, run_id, step, model_name, metrics, timestamp)
   SELECT DISTINCT ON (c.step) $1::int, $2::uuid, c.step, c.model_name, c.metrics, ${NOW_MS} FROM json_to_recordset($3::json)
     c(step int, model_name text, metrics jsonb)
   ON CONFLICT DO NOTHING`,
);

export const INSERT_MESSAGE = txStatement(
  { index: null },
  `INSERT INTO training.finetune_log (company_id, run_id, level, message, timestamp) VALUES ($1, $2, $3, $4, ${NOW_MS})`,
);

/** Every update also records that the provider was reached. */
export const SET_FIELDS = composed(
  (names: readonly string[]) =>
    txStatement(
      { index: 'finetune_runs_pkey' },
      `UPDATE training.finetune_runs SET ${names.map((name, at) => `${name} = $${at + 3}, `).join('')}contacted_at = ${NOW_MS}
       WHERE company_id = $1 AND id = $2`,
    ),
  [['training_file_id', 'validation_file_id']],
  [['provider_job_id']],
  [['progress', 'metrics']],
);
