import type { Pool } from 'pg';
import type { FinetuningJobs } from '../../fakes/finetuning-jobs.js';
import { FILES, ROWS, STEPS } from './plan.js';

const OPEN = `SELECT
    (SELECT count(*)::int FROM training.augmentations WHERE company_id = $1 AND completed_at IS NULL) +
    (SELECT count(*)::int FROM training.finetune_runs WHERE company_id = $1 AND completed_at IS NULL) AS open`;

/** Augmentations and finetune runs; undefined while Postgres restarts. */
export async function openRuns(sql: Pool, companyId: number): Promise<number | undefined> {
  const { rows } = await sql.query<{ open: number }>(OPEN, [companyId]).catch(() => ({ rows: [] }));
  return rows[0]?.open;
}

const EVENTS = (event: string): string => `(SELECT count(*)::int FROM training.outbox o
   CROSS JOIN LATERAL json_array_elements(COALESCE(o.payload::json->'events', json_build_array(o.payload::json))) e
   WHERE o.company_id = $1 AND o.subject LIKE '%.${event}')`;

const ONCE = `SELECT
    (SELECT count(*)::int FROM training.datasets WHERE company_id = $1) AS datasets,
    (SELECT count(*)::int FROM training.augmentations WHERE company_id = $1 AND status = 'COMPLETED') AS augmentations,
    (SELECT count(*)::int FROM training.finetune_runs WHERE company_id = $1 AND status = 'COMPLETED') AS finetune_runs,
    (SELECT count(*)::int FROM traffic.models WHERE company_id = $1 AND finetune_run_id IS NOT NULL) AS models,
    ${EVENTS('dataset.created')} AS created_events,
    ${EVENTS('augmentation.completed')} AS augmentation_events,
    ${EVENTS('finetune_run.completed')} AS finetune_events`;

const ROWS_OF = `SELECT d.id, d.request_count::int,
    count(*) FILTER (WHERE r.source = 'UPLOAD')::int AS uploaded,
    count(DISTINCT r.input_hash) FILTER (WHERE r.source = 'UPLOAD')::int AS inputs,
    count(*) FILTER (WHERE r.source = 'AUGMENTED')::int AS augmented,
    count(DISTINCT r.meta->>'variation_of') FILTER (WHERE r.source = 'AUGMENTED')::int AS varied,
    (SELECT a.produced FROM training.augmentations a WHERE a.company_id = $1 AND a.dataset_id = d.id) AS produced
  FROM training.datasets d LEFT JOIN training.dataset_requests r
    ON r.company_id = $1 AND r.dataset_id = d.id AND r.deleted_at IS NULL
  WHERE d.company_id = $1 GROUP BY d.id, d.request_count ORDER BY d.id`;

const STEPS_OF = `SELECT f.no::int, f.training_request_count + f.validation_request_count AS lines,
    (SELECT count(*)::int FROM training.finetune_metrics m WHERE m.company_id = $1 AND m.run_id = f.id) AS steps,
    (SELECT count(*) - count(DISTINCT l.event_id) FROM training.finetune_log l
      WHERE l.company_id = $1 AND l.run_id = f.id AND l.event_id IS NOT NULL)::int AS repeated
  FROM training.finetune_runs f WHERE f.company_id = $1 ORDER BY f.no`;

const linesIn = (text = ''): number => text.split('\n').filter((line) => line !== '').length;

export async function trainingFaults(sql: Pool, companyId: number, datasets: number, { jobs, files }: FinetuningJobs) {
  const faults: string[] = [];
  const expect = (what: string, actual: number | undefined, expected: number): void => {
    if (actual !== expected) faults.push(`${actual} ${what} instead of ${expected}`);
  };
  const once = (await sql.query<Record<string, number>>(ONCE, [companyId])).rows[0] ?? {};
  for (const [name, count] of Object.entries(once)) expect(name, count, datasets);
  for (const row of (await sql.query<Record<string, number>>(ROWS_OF, [companyId])).rows) {
    const { id, request_count, uploaded, inputs, augmented, varied, produced } = row;
    expect(`uploaded rows of dataset ${id}`, uploaded, ROWS);
    expect(`different uploaded rows of dataset ${id}`, inputs, ROWS);
    expect(`varied rows of dataset ${id}`, varied, augmented ?? 0);
    expect(`produced rows of dataset ${id}`, produced, augmented ?? 0);
    expect(`counted rows of dataset ${id}`, request_count, ROWS + (augmented ?? 0));
    if (augmented === 0) faults.push(`dataset ${id} has no variations`);
  }
  expect('jobs at the provider', jobs.size, datasets);
  expect('files at the provider', files.size, datasets * FILES);
  for (const { no, lines, steps, repeated } of (await sql.query<Record<string, number>>(STEPS_OF, [companyId])).rows) {
    expect(`steps of finetune run ${no}`, steps, STEPS);
    expect(`repeated events of finetune run ${no}`, repeated, 0);
    const own = [...jobs.values()].filter(({ suffix }) => suffix === `run-${no}`);
    expect(`jobs of finetune run ${no}`, own.length, 1);
    const sent = own.flatMap(({ training_file, validation_file }) => [training_file, validation_file ?? '']);
    const received = sent.reduce((sum, file) => sum + linesIn(files.get(file)?.text), 0);
    expect(`lines sent by finetune run ${no}`, received, lines ?? 0);
  }
  return faults;
}
