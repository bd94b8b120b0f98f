import { txStatement, readStatement, NOW_MS } from '@signalbox/database';
import { SCORABLE } from './run-scores.sql.js';

const COLUMNS = `c.id, c.run_id, c.criteria_key, c.criteria_ids, c.criteria, c.definitions_sha256, c.is_partial, c.status,
  c.revision, c.after_position, c.scored, c.total, c.is_streamed`;

export const SCORING_BY_CRITERIA = txStatement(
  { index: 'scorings_of_run' },
  `SELECT ${COLUMNS} FROM "test-runs".scorings c WHERE c.company_id = $1 AND c.run_id = $2 AND c.criteria_key = $3`,
);

export const BEGIN_SCORING = txStatement(
  { index: ['run_items_status', 'scorings_of_run'] },
  `INSERT INTO "test-runs".scorings AS c (company_id, run_id, criteria_key, criteria_ids, criteria, definitions_sha256, is_partial,
     status, total)
   VALUES ($1, $2, $3, $4, $5, $6, $7, 'SCORING', (SELECT count(*)::int FROM "test-runs".run_items i
     WHERE i.company_id = $1 AND i.run_id = $2 AND (${SCORABLE})))
   ON CONFLICT (company_id, run_id, criteria_key) DO UPDATE SET criteria = EXCLUDED.criteria, status = 'SCORING',
     definitions_sha256 = EXCLUDED.definitions_sha256, is_partial = EXCLUDED.is_partial, total = EXCLUDED.total, scored = 0,
     after_position = -1, revision = c.revision + 1, date_updated = ${NOW_MS} RETURNING c.id`,
);

export const FORGET_DEFINITIONS = txStatement(
  { index: 'runs_pkey' },
  `UPDATE "test-runs".runs SET scored_with = NULL
   WHERE company_id = $1 AND id = $2 AND scored_with->>'definitions_sha256' <> $3`,
);

export const FIND_SCORING = readStatement(
  { index: 'scorings_pkey' },
  `SELECT x.* FROM s, LATERAL (SELECT ${COLUMNS} FROM "test-runs".scorings c
   WHERE c.company_id = s.company AND c.id = $2 OFFSET 0) x`,
);

export const STREAMED_SCORING = readStatement(
  { index: 'scorings_of_run' },
  `SELECT x.* FROM s, LATERAL (SELECT 1 AS found FROM "test-runs".scorings c WHERE c.company_id = s.company
   AND c.run_id = $2 AND c.criteria_key = '' AND c.status = 'SCORING' AND c.is_streamed OFFSET 0) x`,
);

export const OWN_SCORING = txStatement(
  { index: 'scorings_of_run' },
  `SELECT ${COLUMNS} FROM "test-runs".scorings c WHERE c.company_id = $1 AND c.run_id = $2 AND c.criteria_key = ''`,
);

export const ADVANCE_SCORING = txStatement(
  { index: 'scorings_pkey' },
  `UPDATE "test-runs".scorings SET after_position = GREATEST(after_position, $4), scored = LEAST(scored + $5, total),
   date_updated = ${NOW_MS} WHERE company_id = $1 AND id = $2 AND revision = $3 AND status = 'SCORING' RETURNING 1`,
);

export const OVERRIDDEN_ITEM = txStatement(
  { index: ['run_items_of_run', 'run_scores_pkey', 'test_set_items_pkey'] },
  `SELECT 1 FROM "test-runs".run_items i
   JOIN "test-runs".run_scores c ON c.company_id = i.company_id AND c.id = i.score_id
   JOIN "test-runs".test_set_items t ON t.company_id = i.company_id AND t.id = i.test_set_item_id AND t.deleted_at IS NULL
   WHERE i.company_id = $1 AND i.run_id = $2 AND (${SCORABLE}) AND t.response_sub_id IS DISTINCT FROM c.response_sub_id LIMIT 1`,
);

/** Unless the scoring has begun anew. */
const change = (values: string) =>
  txStatement(
    { index: 'scorings_pkey' },
    `UPDATE "test-runs".scorings SET ${values}, date_updated = ${NOW_MS}
     WHERE company_id = $1 AND id = $2 AND revision = $3 AND status = 'SCORING' RETURNING 1`,
  );

export const FAIL_SCORING = change(`status = 'FAILED'`);

/** That of a run that scores itself: no other one is whole while its run is running. */
export const STOP_SCORING = txStatement(
  { index: 'scorings_of_run' },
  `UPDATE "test-runs".scorings SET status = 'FAILED', date_updated = ${NOW_MS}
   WHERE company_id = $1 AND run_id = $2 AND criteria_key = '' AND status = 'SCORING' AND NOT is_partial`,
);

export const STREAM_SCORING = change('is_streamed = true');

export const RESTART_SCORING = change('after_position = -1, scored = 0, revision = revision + 1');

export const END_SCORING = change(`status = 'SCORED', scored = total, is_streamed = false`);
