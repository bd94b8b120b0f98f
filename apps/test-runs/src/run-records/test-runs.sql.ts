import { txStatement, type View, composed, NOW_MS, readStatement } from '@signalbox/database';
import { RUN_COLUMNS, RUN_FIELDS, SCORING } from './test-run-kind.sql.js';
import { TOTAL_FIELDS } from './run-totals.sql.js';

export const testRunView: View = {
  resource: 'test run',
  table: '"test-runs".runs',
  columns: [],
  computed: {
    ...RUN_FIELDS,
    consumer_config: 't.consumer_config',
    ...TOTAL_FIELDS,
    scored_with: 't.scored_with',
    scoring: SCORING,
  },
  search: ['t.name', 't.description'],
  sort: {
    name: 't.name',
    started_at: 't.started_at',
    completed_at: 't.completed_at',
    scored_at: 't.scored_at',
    match_rate: 't.match_rate',
  },
  filters: {
    test_set_id: 't.test_set_id = ?',
    consumer_kind: 't.consumer_kind = ANY (?::text[])',
    consumer_id: 't.consumer_id = ?',
    status: 't.status = ANY (?::text[])',
  },
  key: 'no',
  alive: 'true',
};

export const LOCK_RUN = txStatement(
  { index: 'runs_no' },
  `SELECT ${RUN_COLUMNS} FROM "test-runs".runs t WHERE t.company_id = $1 AND t.no = $2 FOR UPDATE`,
);

export const LOCK_SET = txStatement(
  { index: 'test_sets_pkey' },
  `SELECT criteria_ids FROM "test-runs".test_sets WHERE company_id = $1 AND id = $2 AND deleted_at IS NULL FOR SHARE`,
);

export const NUMBER_OF_RUN = txStatement(
  { index: 'runs_pkey' },
  `SELECT no::int FROM "test-runs".runs WHERE company_id = $1 AND id = $2`,
);

export const DELETE_RUN = txStatement(
  { index: 'runs_no' },
  `DELETE FROM "test-runs".runs WHERE company_id = $1 AND no = $2`,
);

export const CALLS_OF_RUN = txStatement(
  { index: 'run_items_of_run' },
  `SELECT call_id FROM "test-runs".run_items WHERE company_id = $1 AND run_id = $2 AND call_id IS NOT NULL`,
);

const found = (condition: string): string =>
  `SELECT x.* FROM s, LATERAL (SELECT ${RUN_COLUMNS} FROM "test-runs".runs t
   WHERE t.company_id = s.company AND ${condition} OFFSET 0) x`;

export const FIND_BY_NUMBER = readStatement({ index: 'runs_no' }, found('t.no = $2'));

export const FIND_BY_ID = readStatement({ index: 'runs_pkey' }, found('t.id = $2'));

export const SET_FIELDS = composed(
  (names: readonly string[]) =>
    txStatement(
      { index: 'runs_no' },
      `UPDATE "test-runs".runs SET ${names.map((name, at) => `${name} = $${at + 3}`).join(', ')}, date_updated = ${NOW_MS}
       WHERE company_id = $1 AND no = $2`,
    ),
  [['name']],
  [['name', 'description', 'meta']],
);
