import { deadLetters, jobsOldest, jobsRunning, jobsWaiting } from '@signalbox/platform';
import type { Pool } from 'pg';

/** More rows than this are not counted: their number no longer matters, and a scrape must stay cheap. */
const COUNTED = 10_000;

const waiting = (work: string): string => {
  const open = `${work} w WHERE done_at IS NULL AND lease_owner IS NULL`;
  return `WITH RECURSIVE kinds AS (
      (SELECT kind FROM ${open} ORDER BY kind LIMIT 1)
      UNION ALL
      SELECT (SELECT w.kind FROM ${open} AND w.kind > k.kind ORDER BY w.kind LIMIT 1) FROM kinds k WHERE k.kind IS NOT NULL
    )
    SELECT kind, n, age FROM kinds CROSS JOIN LATERAL (
      SELECT count(*)::int AS n, coalesce(extract(epoch FROM now() - min(due_at)), 0)::float8 AS age
      FROM (SELECT due_at FROM ${open} AND w.kind = kinds.kind AND due_at <= now() LIMIT ${COUNTED}) due
    ) counted WHERE kind IS NOT NULL`;
};

interface Counted {
  name: string;
  n: number;
}

/** Measures the queue and the dead letters of a schema as its worker role. */
export async function measureQueues(pool: Pool, schema: string): Promise<void> {
  const [work, letters] = [`"${schema}".work`, `"${schema}".dead_letters`];
  const due = await pool.query<{ kind: string; n: number; age: number }>(waiting(work));
  jobsWaiting.reset();
  jobsOldest.reset();
  for (const { kind, n, age } of due.rows) {
    jobsWaiting.set({ kind }, n);
    jobsOldest.set({ kind }, age);
  }
  const running = await pool.query<Counted>(
    `SELECT kind AS name, count(*)::int AS n FROM ${work} WHERE done_at IS NULL AND lease_owner IS NOT NULL GROUP BY kind`,
  );
  jobsRunning.reset();
  for (const { name, n } of running.rows) jobsRunning.set({ kind: name }, n);
  const dead = await pool.query<Counted>(
    `SELECT consumer AS name, count(*)::int AS n FROM (SELECT consumer FROM ${letters} LIMIT ${COUNTED}) l GROUP BY consumer`,
  );
  deadLetters.reset();
  for (const { name, n } of dead.rows) deadLetters.set({ consumer: name }, n);
}
