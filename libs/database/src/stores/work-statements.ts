/** Number of due jobs read in order of age; a longer backlog is claimed company by company. */
export const OLDEST = 256;

const claimable = `done_at IS NULL AND due_at <= now() AND (lease_owner IS NULL OR $5)`;

/**
 * Claims due jobs, fairly between companies: each job is ranked by how many jobs its company then has at once, so a
 * company with a long backlog never delays the first job of another. $1 kind, $2 owner, $3 limit, $4 lease in ms, $5
 * whether jobs with an expired lease are included, $6 maximum concurrent jobs of a company, $7 and $8 companies with
 * running jobs and their numbers.
 */
export const claimSql = (work: string): string => `
  WITH RECURSIVE oldest AS MATERIALIZED (
    SELECT id, company_id, due_at FROM ${work} WHERE kind = $1 AND ${claimable} ORDER BY due_at LIMIT ${OLDEST}
  ), backlog AS MATERIALIZED (SELECT count(*) = ${OLDEST} AS long FROM oldest),
  companies(company_id) AS (
    (SELECT company_id FROM ${work} WHERE kind = $1 AND done_at IS NULL AND (SELECT long FROM backlog)
     ORDER BY company_id LIMIT 1)
    UNION ALL
    SELECT (SELECT n.company_id FROM ${work} n WHERE n.kind = $1 AND n.done_at IS NULL AND n.company_id > c.company_id
            ORDER BY n.company_id LIMIT 1)
    FROM companies c WHERE c.company_id IS NOT NULL
  ), candidates AS (
    SELECT id, company_id, due_at FROM oldest WHERE NOT (SELECT long FROM backlog)
    UNION ALL
    SELECT d.id, d.company_id, d.due_at FROM companies c CROSS JOIN LATERAL (
      SELECT id, company_id, due_at FROM ${work} WHERE kind = $1 AND company_id = c.company_id AND ${claimable}
      ORDER BY due_at LIMIT LEAST($3::int, $6::int)) d
    WHERE c.company_id IS NOT NULL
  ), ranked AS (
    SELECT id, due_at, COALESCE(busy.jobs, 0)
        + row_number() OVER (PARTITION BY company_id ORDER BY due_at) AS at_once
    FROM candidates LEFT JOIN unnest($7::int[], $8::int[]) busy(company_id, jobs) USING (company_id)
  ), picked AS MATERIALIZED (
    SELECT id FROM ranked WHERE at_once <= $6::int ORDER BY at_once, due_at LIMIT $3::int
  )
  UPDATE ${work} w SET lease_owner = $2, due_at = now() + $4 * interval '1 millisecond', fence = w.fence + 1,
    attempt = w.attempt + 1, again_at = CASE WHEN w.again_at > now() THEN w.again_at END
  FROM (SELECT id FROM ${work} WHERE id IN (SELECT id FROM picked) AND ${claimable}
        ORDER BY id FOR UPDATE SKIP LOCKED) due
  WHERE w.id = due.id
  RETURNING w.id, w.kind, w.company_id AS "companyId", w.ref, w.fence, w.attempt, w.traceparent,
    (SELECT count(*) FROM picked)::int AS picked`;

/**
 * Jobs $1 with fences $2, locked in the order of their ids, so that two statements over the same jobs never deadlock.
 */
const held = (work: string, more = ''): string => `WITH j AS (
    SELECT * FROM unnest($1::bigint[], $2::int[]${more && ', $3::int[]'}) u(id, fence${more && ', delay'})
  ), held AS MATERIALIZED (
    SELECT w.id${more && ', j.delay'} FROM ${work} w JOIN j ON w.id = j.id AND w.fence = j.fence
    WHERE w.done_at IS NULL AND w.lease_owner IS NOT NULL ORDER BY w.id FOR UPDATE OF w
  )`;

/** Prolongs leases by $3 ms. */
export const heartbeatSql = (work: string): string => `${held(work)}
  UPDATE ${work} w SET due_at = now() + $3 * interval '1 millisecond' FROM held WHERE w.id = held.id RETURNING w.id`;

/** Marks jobs done; one that was woken while it ran is due again. */
export const completeSql = (work: string): string => `${held(work)}
  UPDATE ${work} w SET lease_owner = NULL, again_at = NULL,
    done_at = CASE WHEN w.again_at IS NULL THEN now() END,
    due_at = COALESCE(w.again_at, w.due_at),
    attempt = CASE WHEN w.again_at IS NULL THEN w.attempt ELSE 0 END
  FROM held WHERE w.id = held.id RETURNING w.done_at IS NULL AND w.due_at <= clock_timestamp() AS due`;

/**
 * Makes jobs due again after delays $3 in ms; $4 = 1 when the attempt does not count. A job that was woken while it ran
 * is due at once; a failed attempt keeps its delay.
 */
export const postponeSql = (work: string): string => `${held(work, 'delay')}
  UPDATE ${work} w SET lease_owner = NULL, again_at = NULL, attempt = w.attempt - $4::int,
    due_at = LEAST(now() + held.delay * interval '1 millisecond', CASE WHEN $4::int = 1 THEN w.again_at END)
  FROM held WHERE w.id = held.id RETURNING w.due_at <= clock_timestamp() AS due`;
