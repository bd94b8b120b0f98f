import type { Platform } from '@signalbox/testing';
import { fill } from './fill.js';

const SETS = 20;

const CREATE = `INSERT INTO "test-runs".test_sets (company_id, name, consumer_kinds, item_count, next_position)
  SELECT $1, 'set ' || n, '["AGENT"]', $2::int / ${SETS}, $2::int / ${SETS} + 1 FROM generate_series(1, ${SETS}) n RETURNING id`;
const ITEMS = `INSERT INTO "test-runs".test_set_items (company_id, test_set_id, position, source_type, source_id, intent_group_id, input,
    expected_output, body_bytes)
  SELECT $1, ($4::int[])[1 + n % ${SETS}], n / ${SETS}, 'REQUEST', md5(n::text)::uuid::text, 1 + n % 10,
    json_build_object('messages', json_build_array(json_build_object('role', 'user', 'content', 'question number ' || n))),
    '{"content":"an answer"}', 120 FROM generate_series($2::int, $3::int) n`;

const RUN = `INSERT INTO "test-runs".runs (company_id, id, status, work_kind, test_set_id, name, consumer_kind, consumer_config, consumer_id,
    consumer_version, criteria_ids, auto_score, repeats, total_items, completed_items, matched_items, match_rate, prepared_at, started_at,
    completed_at, scored_at)
  SELECT $1, md5(n::text)::uuid, 'COMPLETED', 'test_run', $2, 'run ' || n, 'AGENT', '{}', 1, '1.0.0', '{}', true, 1, $3::int, $3::int,
    $3::int * 9 / 10, 0.9, 1, 1, 2, 3 FROM generate_series(1, 2) n RETURNING id, no`;
const RUN_ITEMS = `INSERT INTO "test-runs".run_items (company_id, run_id, test_set_item_id, position, status, failure_class, baseline, matched,
    agreement, attempts, started_at, completed_at, scored_at)
  SELECT $1, ($4::uuid[])[1 + n % 2], n, n / 2, CASE WHEN n % 50 = 0 THEN 'FAILED' ELSE 'COMPLETED' END,
    CASE WHEN n % 50 = 0 THEN 'provider' WHEN n % 10 = 0 THEN 'quality' END, '{"content":"an answer"}', CASE WHEN n % 50 > 0 THEN n % 10 > 0 END, CASE WHEN n % 50 > 0 THEN 1 END, 1, 1, 2, 3 FROM generate_series($2::int, $3::int) n`;

/** Ids of a test set and of a run over it. */
export interface FilledSet {
  set: number;
  run: number;
}

/** Fills a company with test sets, and two scored runs of a tenth of the items each, past the service. */
export async function fillTestItems(platform: Platform, companyId: number, count: number): Promise<FilledSet> {
  const { rows } = await platform.sql.query<{ id: number }>(CREATE, [companyId, count]);
  const sets = rows.map(({ id }) => id);
  await fill(platform, { table: '"test-runs".test_set_items', insert: ITEMS, count, values: [companyId, sets] });
  const items = Math.round(count / 10);
  const { rows: runs } = await platform.sql.query<{ id: string; no: string }>(RUN, [companyId, sets[0], items]);
  const values = [companyId, runs.map(({ id }) => id)];
  await fill(platform, { table: '"test-runs".run_items', insert: RUN_ITEMS, count: items * 2, values });
  return { set: sets[0]!, run: Number(runs[0]!.no) };
}
