import { NOW_MS, txStatement } from '@signalbox/database';

const TAKEN = `i.id, i.test_set_item_id, i.adapted_input, i.attempts, i.call_id, i.losses,
  CASE WHEN i.attempts = 0 THEN '[]'::json ELSE COALESCE((
    SELECT json_agg(json_build_object('repeat', a.repeat, 'status', a.status, 'failure_class', a.failure_class))
    FROM "test-runs".run_attempts a WHERE a.company_id = i.company_id AND a.run_item_id = i.id AND a.is_current), '[]'::json) END AS ended`;

export const TAKE_LEFT = txStatement(
  { index: ['run_attempts_current', 'run_items_lane'] },
  `UPDATE "test-runs".run_items i SET losses = i.losses + 1, date_updated = ${NOW_MS}
  WHERE i.company_id = $1 AND i.run_id = $2 AND i.lane = ANY ($3::int[]) AND i.status = 'RUNNING'
  RETURNING i.lane, ${TAKEN}, false AS is_near_end`,
);

/**
 * For the slots `$3`, in the order of positions. The limits are subqueries and the slots are counted by their
 * subscripts: estimates that depend on parameter values would make Postgres plan the statement anew each time, for half
 * of what its execution costs. The items are found by an array of ids: such limits are estimated as a tenth of all
 * items, for which Postgres would read the whole table.
 */
export const TAKE_PENDING = txStatement(
  { index: ['run_attempts_current', 'run_items_pkey', 'run_items_status'] },
  `WITH free AS (
    SELECT p.id, row_number() OVER (ORDER BY p.position) AS n FROM (
      SELECT p.id, p.position FROM "test-runs".run_items p WHERE p.company_id = $1 AND p.run_id = $2 AND p.status = 'PENDING'
      ORDER BY p.position LIMIT (SELECT $4::int) FOR UPDATE SKIP LOCKED) p),
  pending AS MATERIALIZED (SELECT count(*) AS n FROM (
    SELECT 1 FROM "test-runs".run_items p WHERE p.company_id = $1 AND p.run_id = $2 AND p.status = 'PENDING'
    ORDER BY p.position LIMIT (SELECT $4::int + $5::int)) p)
  UPDATE "test-runs".run_items i SET status = 'RUNNING', lane = s.no, losses = 0,
    call_id = COALESCE(i.call_id, gen_random_uuid()),
    started_at = COALESCE(i.started_at, ${NOW_MS}), date_updated = ${NOW_MS}
  FROM free JOIN (SELECT ($3::int[])[n] AS no, n FROM generate_subscripts($3::int[], 1) n) s USING (n)
  WHERE i.company_id = $1 AND i.id = ANY (ARRAY(SELECT f.id FROM free f)) AND i.id = free.id
  RETURNING i.lane, ${TAKEN}, (SELECT pending.n < $4 + $5 FROM pending) AS is_near_end`,
);

/** Items keep the ids of their calls: the next worker waits for what a call may have started. */
export const PUT_BACK = txStatement(
  { index: 'run_items_pkey' },
  `UPDATE "test-runs".run_items i SET status = 'PENDING', lane = NULL, losses = 0, date_updated = ${NOW_MS}
  FROM unnest($2::int[], $3::int[]) u(item, lane)
  WHERE i.company_id = $1 AND i.id = u.item AND i.status = 'RUNNING' AND i.lane = u.lane`,
);

/** Returns no row for an item that is no longer executed in its slot. */
export const RECORD_RESULTS = txStatement(
  { index: 'run_items_pkey' },
  `WITH given AS (
    SELECT * FROM unnest($2::int[], $3::int[], $4::uuid[], $5::text[], $6::text[], $7::boolean[], $8::text[], $9::text[],
      $10::int[], $11::text[], $12::text[], $13::text[], $14::text[], $15::int[], $16::bigint[], $17::text[])
      u(item, lane, call_id, status, item_class, shows, code, message, repeat, result, class, output, source_ref, duration,
        started, usage)),
  item AS (
    UPDATE "test-runs".run_items i SET attempts = i.attempts + 1, status = u.status, losses = 0, failure_class = u.item_class,
      error_code = CASE WHEN u.shows THEN u.code ELSE i.error_code END,
      error_message = CASE WHEN u.shows THEN u.message ELSE i.error_message END,
      lane = CASE WHEN u.status = 'RUNNING' THEN i.lane END,
      call_id = CASE WHEN u.status = 'RUNNING' THEN gen_random_uuid() END,
      started_at = CASE WHEN i.attempts = 0 THEN u.started ELSE i.started_at END,
      completed_at = CASE WHEN u.status <> 'RUNNING' THEN ${NOW_MS} END, date_updated = ${NOW_MS}
    FROM given u
    WHERE i.company_id = $1 AND i.id = u.item AND i.status = 'RUNNING' AND i.lane = u.lane AND i.call_id = u.call_id
    RETURNING i.company_id, i.id, i.run_id, i.attempts, i.call_id),
  attempt AS (
    INSERT INTO "test-runs".run_attempts (company_id, run_id, run_item_id, attempt, repeat, status, failure_class,
      error_code, error_message, actual_output, source_ref, duration_ms, started_at, completed_at, usage)
    SELECT item.company_id, item.run_id, item.id, item.attempts, u.repeat, u.result, u.class, u.code, u.message,
      u.output::json, u.source_ref::json, u.duration, u.started, u.started + u.duration, u.usage::json
    FROM item JOIN given u ON u.item = item.id)
  SELECT id, attempts, call_id FROM item`,
);

export const FAIL_OPEN_ITEMS = txStatement(
  { index: ['run_items_status', 'runs_pkey'] },
  `UPDATE "test-runs".run_items SET status = 'FAILED', failure_class = $3, error_code = $4, error_message = $5,
    lane = NULL, completed_at = ${NOW_MS}, date_updated = ${NOW_MS}
  WHERE company_id = $1 AND run_id = $2 AND status IN ('PENDING', 'RUNNING')
    AND EXISTS (SELECT 1 FROM "test-runs".runs r WHERE r.company_id = $1 AND r.id = $2 AND r.work_kind = $6)
  RETURNING call_id`,
);

/** Every process may then complete the run, whose secrets are lost. */
export const DROP_SECRETS = txStatement(
  { index: 'runs_pkey' },
  `UPDATE "test-runs".runs SET has_secrets = false, work_kind = $3
  WHERE company_id = $1 AND id = $2 AND work_kind = $4`,
);
