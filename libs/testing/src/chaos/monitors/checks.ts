import type { Pool } from 'pg';

export async function openJudgements(sql: Pool, companyId: number, expected: number): Promise<number> {
  const { rows } = await sql
    .query<{ judged: number }>(
      'SELECT count(*)::int AS judged FROM monitors.monitor_runs WHERE company_id = $1 AND outcome IS NOT NULL',
      [companyId],
    )
    // Postgres may restart.
    .catch(() => ({ rows: [] }));
  return expected - (rows[0]?.judged ?? 0);
}

const COUNTS = `SELECT
    (SELECT count(*)::int FROM traffic.requests r WHERE r.company_id = $1 AND r.request_type = 'PROD' AND r.intent_id IS NOT NULL) AS sources,
    (SELECT count(*)::int FROM monitors.monitor_runs t WHERE t.company_id = $1 AND t.monitor_id = $2) AS runs,
    (SELECT count(DISTINCT t.source_id)::int FROM monitors.monitor_runs t WHERE t.company_id = $1 AND t.monitor_id = $2) AS judged,
    (SELECT count(*)::int FROM monitors.monitor_runs t WHERE t.company_id = $1 AND t.monitor_id = $2 AND t.outcome = 'PASS') AS passed,
    (SELECT count(*)::int FROM monitors.outbox o
       CROSS JOIN LATERAL json_array_elements(COALESCE(o.payload::json->'events', json_build_array(o.payload::json))) e
       WHERE o.company_id = $1 AND o.subject LIKE '%.monitor_run.completed'
         AND COALESCE(e->'data'->>'monitor_id', o.payload::json->'shared'->'data'->>'monitor_id')::int = $2) AS events`;

export async function monitorFaults(sql: Pool, companyId: number, monitorIds: readonly number[]): Promise<string[]> {
  const faults: string[] = [];
  for (const id of monitorIds) {
    const { rows } = await sql.query<Record<string, number>>(COUNTS, [companyId, id]);
    const { sources = 0, ...counts } = rows[0] ?? {};
    for (const [name, count] of Object.entries(counts))
      if (count !== sources) faults.push(`monitor ${id}: ${count} ${name} of ${sources} sources`);
  }
  return faults;
}
