import { txStatement } from '@signalbox/database';
import { type StoredRuns, storedRuns, tablesOf } from '@signalbox/runs';
import { RUN_SCHEMA } from '../migrations/run-schema.js';

const count = (status: string): string =>
  `(SELECT count(*)::int FROM "test-runs".run_items i
    WHERE i.company_id = t.company_id AND i.run_id = t.id AND i.status = '${status}')`;

const counted = (status: string, column: string): string =>
  `CASE WHEN t.status = 'RUNNING' THEN ${count(status)} ELSE t.${column} END`;

export const RUN_FIELDS: Readonly<Record<string, string>> = {
  id: 't.no',
  test_set_id: 't.test_set_id',
  name: 't.name',
  description: 't.description',
  meta: 't.meta',
  consumer_kind: 't.consumer_kind',
  consumer_id: 't.consumer_id',
  consumer_version: 't.consumer_version',
  status: 't.status',
  criteria_ids: 't.criteria_ids',
  auto_score: 't.auto_score',
  repeats: 't.repeats',
  total_items: 't.total_items',
  completed_items: counted('COMPLETED', 'completed_items'),
  failed_items: counted('FAILED', 'failed_items'),
  matched_items: 't.matched_items',
  match_rate: 't.match_rate',
  prepared_at: 't.prepared_at',
  started_at: 't.started_at',
  completed_at: 't.completed_at',
  scored_at: 't.scored_at',
  cancelled_at: 't.cancelled_at',
  date_created: 't.date_created',
  date_updated: 't.date_updated',
};

export const SCORING = `(SELECT json_build_object('status', c.status, 'scored', c.scored, 'total', c.total)
  FROM "test-runs".scorings c WHERE c.company_id = t.company_id AND c.run_id = t.id AND c.criteria_key = '')`;

export const RUN_COLUMNS = `t.id, t.no, t.status, t.last_seq, t.has_secrets, t.executed, t.test_set_id, t.consumer_kind,
  t.consumer_config, t.consumer_id, t.consumer_version, t.target_name, t.criteria_ids, t.auto_score, t.repeats, t.concurrency, t.work_kind,
  t.total_items, t.completed_items, t.failed_items`;

export const STORED_RUNS: StoredRuns = storedRuns({
  tables: tablesOf(RUN_SCHEMA),
  columns: RUN_COLUMNS,
  timelineColumns: [],
});

export const DELETE_EVENTS = txStatement(
  { index: 'run_events_pkey' },
  'DELETE FROM "test-runs".run_events WHERE company_id = $1 AND run_id = $2',
);
