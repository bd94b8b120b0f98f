import { txStatement, type View } from '@signalbox/database';
import { runsWith, type StoredRuns, storedRuns, tablesOf } from '@signalbox/runs';
import { TAG_RUN_SCHEMA } from '../../migrations/tag-run-schema.js';

const STATUS = `CASE t.status WHEN 'QUEUED' THEN 'PENDING' ELSE t.status END`;

const UPDATED = 'COALESCE(t.completed_at, t.started_at, t.date_created)';

const COLUMNS = [
  'rule_ids',
  'filters',
  'total_requests',
  'processed',
  'tagged',
  'errors',
  'error_message',
  'date_created',
  'started_at',
  'completed_at',
] as const;

export const view: View = {
  resource: 'tag run',
  table: 'traffic.tag_runs',
  key: 'no',
  alive: 'true',
  columns: COLUMNS,
  computed: { id: 't.no', status: STATUS, date_updated: UPDATED },
  filters: { status: `${STATUS} = ?` },
  search: ['t.no::text', 't.error_message'],
  sort: { date_updated: UPDATED },
};

export const STORED_TAG_RUNS: StoredRuns = storedRuns({
  tables: tablesOf(TAG_RUN_SCHEMA),
  columns: `t.id, t.no, t.status, t.last_seq, t.has_secrets, t.rules, t.filters, t.upto, t.cursor, t.judgements,
    t.errors, t.last_error`,
  timelineColumns: [],
});

export const RUN_BY_NUMBER = runsWith(STORED_TAG_RUNS, { index: 'tag_runs_of_company' }, 't.no = $2');

export const RUN_RECORD = `t.no AS id, ${STATUS} AS status, ${UPDATED} AS date_updated, ${COLUMNS.map((name) => `t.${name}`).join(', ')}`;

export const NUMBER_OF_RUN = txStatement(
  { index: 'tag_runs_pkey' },
  'SELECT no FROM traffic.tag_runs WHERE company_id = $1 AND id = $2',
);
