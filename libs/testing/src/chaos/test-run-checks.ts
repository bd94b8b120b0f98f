import { sameJson } from '@signalbox/contracts';
import type { Pool } from 'pg';

interface Counts {
  status: string;
  items: number;
  distinct: number;
  passed: number;
  attempts: number;
  current: number;
  scores: number;
  failed_judges: string[] | null;
  emitted: string[];
}

const COUNTS = `SELECT r.status, count(i.id)::int AS items, count(DISTINCT i.test_set_item_id)::int AS distinct,
    count(*) FILTER (WHERE i.status = 'COMPLETED' AND i.matched)::int AS passed,
    (SELECT count(*)::int FROM "test-runs".run_attempts a WHERE a.run_id = r.id) AS attempts,
    (SELECT count(*)::int FROM "test-runs".run_attempts a WHERE a.run_id = r.id AND a.is_current) AS current,
    (SELECT count(*)::int FROM "test-runs".run_scores s WHERE s.run_id = r.id) AS scores,
    (SELECT array_agg(DISTINCT s.criteria_results->0->>'description') FROM "test-runs".run_scores s
      WHERE s.run_id = r.id AND s.failure_class = 'judge') AS failed_judges,
    (SELECT coalesce(array_agg(o.payload::json ->> 'event' ORDER BY o.id), '{}') FROM "test-runs".outbox o
      WHERE o.company_id = r.company_id AND o.payload::json -> 'resource' ->> 'type' = 'test_run'
        AND o.payload::json -> 'resource' ->> 'id' = r.no::text) AS emitted
  FROM "test-runs".runs r LEFT JOIN "test-runs".run_items i ON i.run_id = r.id WHERE r.no = $1 GROUP BY r.company_id, r.id, r.status`;

export async function testRunFaults(
  sql: Pool,
  id: number,
  items: number,
  summaries: readonly [unknown, unknown],
): Promise<string[]> {
  const { rows } = await sql.query<Counts>(COUNTS, [id]);
  const [found] = rows;
  if (!found) return [`run ${id} is gone`];
  const faults: string[] = [];
  const expect = (name: string, value: number, wanted: number): void => {
    if (value !== wanted) faults.push(`${value} ${name} instead of ${wanted}`);
  };
  if (found.status !== 'COMPLETED') faults.push(`run ${id} is still ${found.status}`);
  expect('items', found.items, items);
  expect('distinct items', found.distinct, items);
  expect('items that passed', found.passed, items);
  expect('recorded attempts', found.attempts, items);
  expect('attempts that count', found.current, items);
  expect('scores', found.scores, items);
  expect('ends', found.emitted.filter((event) => event === 'test_run.completed').length, 1);
  for (const reason of found.failed_judges ?? []) faults.push(`a judge failed: ${reason}`);
  if (!sameJson(...summaries)) faults.push('scoring again gave another summary');
  return faults;
}
