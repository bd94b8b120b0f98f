import { perSchema, txStatement, workerStatement } from '../statement.js';

const OPEN = 'done_at IS NULL AND lease_owner IS NULL';
const LEASED = 'done_at IS NULL AND lease_owner IS NOT NULL';
/** Rows that are counted; beyond it the number no longer matters, and a scrape must stay cheap. */
export const MEASURED_ROWS = 10_000;

/**
 * Claims due jobs, fairly between companies: each job is ranked by how many jobs its company then has at once, so a
 * company with a long backlog never delays the first job of another. A company gets no more candidates than level all
 * companies with due jobs, so that a claim reads about as many rows as it takes; `more` is true when that may have left
 * some behind, and when others had locked what it chose. There is one row at least, without a job when none was claimed.
 * Open jobs change faster than statistics, so each step has one index to use: companies are visited by an index without
 * leased jobs, and the CASE keeps that index from the step that locks by id. $1 kind, $2 owner, $3 limit, $4 lease in
 * ms, $5 whether jobs with an expired lease are included, $6 maximum concurrent jobs of a company, $7 and $8 companies
 * with running jobs and their numbers.
 */
const claimSql = (work: string): string => `
  WITH RECURSIVE companies(company_id, first_due) AS (
    (SELECT company_id, due_at FROM ${work} WHERE kind = $1 AND ${OPEN} ORDER BY company_id, due_at LIMIT 1)
    UNION ALL
    SELECT n.company_id, n.due_at FROM companies c CROSS JOIN LATERAL (
      SELECT company_id, due_at FROM ${work} WHERE kind = $1 AND ${OPEN} AND company_id > c.company_id
      ORDER BY company_id, due_at LIMIT 1) n
  ), busy(company_id, jobs) AS (SELECT * FROM unnest($7::int[], $8::int[])),
  due AS MATERIALIZED (
    SELECT company_id, COALESCE(jobs, 0) AS jobs FROM companies LEFT JOIN busy USING (company_id)
    WHERE first_due <= now() AND COALESCE(jobs, 0) < $6::int
  ), level AS MATERIALIZED (SELECT (($3::int + sum(jobs)) / count(*) + 1)::int AS jobs FROM due),
  candidates AS (
    SELECT j.id, company_id, j.due_at, share FROM due
    CROSS JOIN LATERAL (SELECT LEAST($6::int, GREATEST((SELECT jobs FROM level), jobs + 1)) - jobs AS share) s
    CROSS JOIN LATERAL (
      SELECT id, due_at FROM ${work} WHERE kind = $1 AND company_id = due.company_id AND ${OPEN} AND due_at <= now()
      ORDER BY due_at LIMIT share) j
    UNION ALL
    (SELECT id, company_id, due_at, NULL FROM ${work} WHERE kind = $1 AND ${LEASED} AND due_at <= now() AND $5
     ORDER BY due_at LIMIT $3::int)
  ), ranked AS MATERIALIZED (
    SELECT id, due_at, share, nth, COALESCE(jobs, 0) + nth AS at_once
    FROM (SELECT *, row_number() OVER (PARTITION BY company_id ORDER BY due_at) AS nth FROM candidates) c
    LEFT JOIN busy USING (company_id)
  ), picked AS MATERIALIZED (
    SELECT id FROM ranked WHERE at_once <= $6::int ORDER BY at_once, due_at LIMIT $3::int
  ), claimed AS (
  UPDATE ${work} w SET lease_owner = $2, due_at = now() + $4 * interval '1 millisecond', fence = w.fence + 1,
    attempt = w.attempt + 1, again_at = CASE WHEN w.again_at > now() THEN w.again_at END
  FROM (SELECT id FROM ${work} WHERE id IN (SELECT id FROM picked)
          AND CASE WHEN done_at IS NULL AND due_at <= now() THEN lease_owner IS NULL OR $5 END
        ORDER BY id FOR UPDATE SKIP LOCKED) locked
  WHERE w.id = locked.id
  RETURNING w.id, w.kind, w.company_id AS "companyId", w.ref, w.fence, w.attempt, w.traceparent)
  SELECT claimed.*, more FROM (
    SELECT chosen = $3::int OR chosen > (SELECT count(*) FROM claimed)
      OR EXISTS (SELECT FROM ranked WHERE nth >= share AND at_once < $6::int) AS more
    FROM (SELECT count(*) AS chosen FROM picked) c
  ) m LEFT JOIN claimed ON true`;

/** A loose index scan, whatever the number of waiting jobs. */
const waitingKindsSql = (work: string): string => `
  WITH RECURSIVE kinds(kind) AS (
    (SELECT kind FROM ${work} WHERE ${OPEN} ORDER BY kind LIMIT 1)
    UNION ALL
    SELECT n.kind FROM kinds k CROSS JOIN LATERAL (
      SELECT kind FROM ${work} WHERE kind > k.kind AND ${OPEN} ORDER BY kind LIMIT 1) n
  ) SELECT kind FROM kinds`;

/** Those of the kinds $1 that have open jobs, due or not, or jobs whose lease has expired. */
const claimableKindsSql = (work: string): string => `
  SELECT k.kind FROM unnest($1::text[]) k(kind) CROSS JOIN LATERAL (
    (SELECT FROM ${work} w WHERE w.kind = k.kind AND ${OPEN} ORDER BY w.company_id, w.due_at LIMIT 1)
    UNION ALL
    (SELECT FROM ${work} w WHERE w.kind = k.kind AND ${LEASED} AND w.due_at <= now() ORDER BY w.due_at LIMIT 1)
    LIMIT 1) found`;

/** Jobs $1 with fences $2, locked in the order of their ids, so that two statements never deadlock. */
const held = (
  work: string,
  { columns, more }: { columns: string; more: string } = { columns: '', more: '' },
): string => `WITH j AS (
    SELECT * FROM unnest($1::bigint[], $2::int[]${columns}) u(id, fence${more})
  ), held AS MATERIALIZED (
    SELECT w.id${more} FROM ${work} w JOIN j ON w.id = j.id AND w.fence = j.fence
    WHERE w.done_at IS NULL AND w.lease_owner IS NOT NULL ORDER BY w.id FOR UPDATE OF w
  )`;

const heartbeatSql = (work: string): string => `${held(work)}
  UPDATE ${work} w SET due_at = now() + $3 * interval '1 millisecond' FROM held WHERE w.id = held.id RETURNING w.id`;

/** A job that was woken while it ran is due again. */
const completeSql = (work: string): string => `${held(work)}
  UPDATE ${work} w SET lease_owner = NULL, again_at = NULL, failing_since = NULL,
    done_at = CASE WHEN w.again_at IS NULL THEN now() END,
    due_at = COALESCE(w.again_at, w.due_at),
    attempt = CASE WHEN w.again_at IS NULL THEN w.attempt ELSE 0 END
  FROM held WHERE w.id = held.id RETURNING w.done_at IS NULL AND w.due_at <= clock_timestamp() AS due`;

/**
 * Delays $3 in ms; $4 = 1 when the attempt does not count, $5 whether it failed or met an outage. A job that was woken
 * while it ran is due at once, unless the attempt counts.
 */
const postponeSql = (
  work: string,
): string => `${held(work, { columns: ', $3::int[], $5::bool[]', more: ', delay, failed' })}
  UPDATE ${work} w SET lease_owner = NULL, again_at = NULL, attempt = w.attempt - $4::int,
    failing_since = CASE WHEN held.failed THEN COALESCE(w.failing_since, now()) END,
    due_at = LEAST(now() + held.delay * interval '1 millisecond', CASE WHEN $4::int = 1 THEN w.again_at END)
  FROM held WHERE w.id = held.id RETURNING w.due_at <= clock_timestamp() AS due`;

/**
 * Returns the jobs of kind $3 leased by owner $4 except ids $1 with fences $2. A job claimed less than $6 ms ago, with
 * a lease of $5 ms, is left: its claim may be on its way to the worker.
 */
const returnUnreceivedSql = (work: string): string => `
  UPDATE ${work} SET lease_owner = NULL, again_at = NULL, attempt = attempt - 1, due_at = now()
  WHERE id IN (
    SELECT w.id FROM ${work} w LEFT JOIN unnest($1::bigint[], $2::int[]) h(id, fence) ON w.id = h.id AND w.fence = h.fence
    WHERE w.kind = $3 AND w.done_at IS NULL AND w.lease_owner IS NOT NULL AND w.lease_owner = $4 AND h.id IS NULL
      AND w.due_at < now() + ($5::float8 - $6::float8) * interval '1 millisecond'
    ORDER BY w.id FOR UPDATE OF w SKIP LOCKED)`;

/** Claimed and not released; expired leases are left to the next claim. */
const RUNNING = 'w.lease_owner IS NOT NULL AND w.done_at IS NULL';

/**
 * Adds jobs of kinds $2 with references $3, due after $4 ms, or leased for $4 ms by the owners $5. A running job keeps
 * its fence and is due again afterwards. Waiting jobs of the kinds $7 are not postponed.
 */
const addSql = (
  work: string,
): string => `INSERT INTO ${work} AS w (company_id, kind, ref, due_at, lease_owner, fence, attempt, traceparent)
   SELECT $1, k, r, clock_timestamp() + d * interval '1 millisecond', o, (o IS NOT NULL)::int, (o IS NOT NULL)::int, $6
   FROM unnest($2::text[], $3::text[], $4::int[], $5::uuid[]) u(k, r, d, o)
   ON CONFLICT (company_id, kind, ref) DO UPDATE SET
     again_at = CASE WHEN ${RUNNING} THEN LEAST(w.again_at, CASE WHEN EXCLUDED.lease_owner IS NULL
       THEN EXCLUDED.due_at ELSE clock_timestamp() END) END,
     due_at = CASE WHEN ${RUNNING} THEN w.due_at WHEN w.done_at IS NULL AND w.kind = ANY ($7::text[])
       THEN LEAST(w.due_at, EXCLUDED.due_at) ELSE EXCLUDED.due_at END,
     attempt = CASE WHEN ${RUNNING} THEN w.attempt ELSE EXCLUDED.attempt END,
     fence = CASE WHEN ${RUNNING} THEN w.fence ELSE w.fence + 1 END,
     lease_owner = CASE WHEN ${RUNNING} THEN w.lease_owner ELSE EXCLUDED.lease_owner END,
     failing_since = CASE WHEN w.done_at IS NULL THEN w.failing_since END,
     traceparent = CASE WHEN ${RUNNING} THEN w.traceparent ELSE EXCLUDED.traceparent END,
     done_at = NULL
   RETURNING id, kind, ref, fence, attempt, lease_owner IS NOT NULL AND again_at IS NULL AS leased`;

/** `OFFSET 0` forces a look-up for each: a join may read all work of the company. */
const heldFencesSql = (work: string): string =>
  `SELECT DISTINCT h.id FROM unnest($1::bigint[], $2::bigint[]) u(job, fence) CROSS JOIN LATERAL (
    SELECT w.id FROM ${work} w WHERE w.id = u.job AND w.fence = u.fence AND w.done_at IS NULL
    FOR SHARE OFFSET 0) h`;

const measureWaitingSql = (work: string): string => {
  const open = `${work} w WHERE ${OPEN}`;
  return `WITH RECURSIVE kinds AS (
      (SELECT kind FROM ${open} ORDER BY kind LIMIT 1)
      UNION ALL
      SELECT (SELECT w.kind FROM ${open} AND w.kind > k.kind ORDER BY w.kind LIMIT 1) FROM kinds k WHERE k.kind IS NOT NULL
    )
    SELECT kind, n, age FROM kinds CROSS JOIN LATERAL (
      SELECT count(*)::int AS n, coalesce(extract(epoch FROM now() - min(due_at)), 0)::float8 AS age
      FROM (SELECT due_at FROM ${open} AND w.kind = kinds.kind AND due_at <= now() LIMIT ${MEASURED_ROWS}) due
    ) counted WHERE kind IS NOT NULL`;
};

/** For how long jobs of each kind have failed, or met outages, without a success; the longest. */
const measureFailingSql = (work: string): string => {
  const longest = (kinds: string): string =>
    `SELECT kind, failing_since FROM ${work} WHERE failing_since IS NOT NULL ${kinds} ORDER BY kind, failing_since LIMIT 1`;
  return `WITH RECURSIVE kinds AS (
      (${longest('')})
      UNION ALL
      SELECT n.* FROM kinds k CROSS JOIN LATERAL (${longest('AND kind > k.kind')}) n
    ) SELECT kind, extract(epoch FROM now() - failing_since)::float8 AS age FROM kinds`;
};

export const WORK = perSchema('work', (work) => ({
  claim: workerStatement({ index: ['work_due', 'work_leased', 'work_pkey'] }, claimSql(work)),
  heartbeat: workerStatement({ index: 'work_pkey' }, heartbeatSql(work)),
  complete: workerStatement({ index: 'work_pkey' }, completeSql(work)),
  postpone: workerStatement({ index: 'work_pkey' }, postponeSql(work)),
  returnUnreceived: workerStatement({ index: ['work_leased', 'work_pkey'] }, returnUnreceivedSql(work)),
  claimableKinds: workerStatement({ index: ['work_due', 'work_leased'] }, claimableKindsSql(work)),
  waitingKinds: workerStatement({ index: 'work_due' }, waitingKindsSql(work)),
  measureWaiting: workerStatement({ index: 'work_due' }, measureWaitingSql(work)),
  measureFailing: workerStatement({ index: 'work_failing' }, measureFailingSql(work)),
  measureRunning: workerStatement(
    { index: 'work_leased' },
    `SELECT kind AS name, count(*)::int AS n FROM ${work} WHERE ${LEASED} GROUP BY kind`,
  ),
  add: txStatement({ index: 'work_company_id_kind_ref_key' }, addSql(work)),
  fence: txStatement(
    { index: 'work_pkey' },
    `SELECT 1 FROM ${work} WHERE id = $1 AND fence = $2 AND done_at IS NULL FOR SHARE`,
  ),
  heldFences: txStatement({ index: 'work_pkey' }, heldFencesSql(work)),
  progressed: txStatement(
    { index: 'work_pkey' },
    `UPDATE ${work} SET attempt = 1, failing_since = NULL WHERE id = $1 AND fence = $2`,
  ),
}));
