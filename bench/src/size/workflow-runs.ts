import type { Platform } from '@signalbox/testing';
import { fill } from './fill.js';

const DAY = 86_400_000;

const APPLICATION = `INSERT INTO workflows.application_names (company_id, application_id, application_name, date_updated)
  VALUES ($1, 1, 'Shop', 0) ON CONFLICT DO NOTHING`;

const WORKFLOWS = `INSERT INTO workflows.workflows (company_id, application_id, workflow_ref_name, workflow_name, description, language, script_key,
    script_sha256, script_has_transform, execution_mode, allow_inproc_nesting, timeout_seconds, memory_mb, status)
  SELECT $1::int, 1, 'flow-' || n, 'flow ' || n, '', 'javascript', $1::int || '/' || repeat('a', 64), repeat('a', 64), false, 'sync', false,
    60, 64, 'ENABLED' FROM generate_series(1, 20) n RETURNING id`;

/** Finished runs of 90 days, as the tasks are. */
const RUNS = `INSERT INTO workflows.runs (company_id, id, status, work_kind, workflow_id, workflow_ref_name, workflow_version, release,
    application_id, session_id, trigger, root_trigger, mode, snapshot, input, output, failure_class, error_code, total_tokens, cost,
    date_created, started_at, completed_at)
  SELECT $1, gen_random_uuid(), CASE WHEN n % 12 = 0 THEN 'FAILED' ELSE 'COMPLETED' END, 'workflow_run', ($5::int[])[1 + n % 20],
    'flow-' || 1 + n % 20, '1.' || n % 5 || '.0', CASE WHEN n % 3 = 0 THEN 'production' END, 1, 'session ' || n % 5000,
    (ARRAY['API', 'API', 'API', 'CHAT', 'TEST'])[1 + n % 5], 'API', 'sync', '{}', jsonb_build_object('question', 'number ' || n), '{"ok":true}',
    CASE WHEN n % 12 = 0 THEN (ARRAY['provider', 'timeout', 'script'])[1 + n % 3] END,
    CASE WHEN n % 12 = 0 THEN (ARRAY['provider_error', 'timeout', 'script_error'])[1 + n % 3] END,
    n % 5000, (n % 5000) * 0.00001, at, at + 5, at + 5 + (exp(4 + 6 * random()))::bigint
  FROM (SELECT n, ($4::bigint + random() * 90 * ${DAY}::bigint)::bigint AS at FROM generate_series($2::int, $3::int) n) d`;

/** Fills a company with finished workflow runs past the service; returns the id of one workflow. */
export async function fillWorkflowRuns(platform: Platform, companyId: number, count: number): Promise<number> {
  await platform.sql.query(APPLICATION, [companyId]);
  const { rows } = await platform.sql.query<{ id: number }>(WORKFLOWS, [companyId]);
  const workflows = rows.map(({ id }) => id);
  const values = [companyId, Date.now() - 90 * DAY, workflows];
  await fill(platform, { table: 'workflows.runs', insert: RUNS, count, values });
  return workflows[2]!;
}
