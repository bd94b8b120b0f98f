import { deadLetters, jobsOldest, jobsRunning, jobsWaiting } from '@signalbox/platform';
import type { Pool } from 'pg';
import { DEAD_LETTERS } from './dead-letters.sql.js';
import { WORK } from './work.sql.js';

interface Counted {
  name: string;
  n: number;
}

export async function measureQueues(pool: Pool, schema: string): Promise<void> {
  const work = WORK.of(schema);
  const due = await pool.query<{ kind: string; n: number; age: number }>(work.measureWaiting.text);
  jobsWaiting.reset();
  jobsOldest.reset();
  for (const { kind, n, age } of due.rows) {
    jobsWaiting.set({ kind }, n);
    jobsOldest.set({ kind }, age);
  }
  const failing = await pool.query<{ kind: string; age: number }>(work.measureFailing.text);
  const ages = new Map(due.rows.map(({ kind, age }) => [kind, age]));
  for (const { kind, age } of failing.rows) jobsOldest.set({ kind }, Math.max(age, ages.get(kind) ?? 0));
  const running = await pool.query<Counted>(work.measureRunning.text);
  jobsRunning.reset();
  for (const { name, n } of running.rows) jobsRunning.set({ kind: name }, n);
  const dead = await pool.query<Counted>(DEAD_LETTERS.of(schema).measure.text);
  deadLetters.reset();
  for (const { name, n } of dead.rows) deadLetters.set({ consumer: name }, n);
}
