import type { Platform } from '@signalbox/testing';
import { fill } from './fill.js';

const DAY = 86_400_000;

const APPLICATION = `INSERT INTO agents.application_names (company_id, application_id, application_name, date_updated)
  VALUES ($1, 1, 'Shop', 0) ON CONFLICT DO NOTHING`;

const AGENTS = `INSERT INTO agents.agents (company_id, application_id, agent_name, model, status, execution_mode, max_iterations)
  SELECT $1, 1, 'agent ' || n, 'simulated-echo', 'ENABLED', 'reasoning', 10 FROM generate_series(1, 20) n RETURNING id`;

const SESSIONS = `INSERT INTO agents.sessions (company_id, agent_id, session_id)
  SELECT $1, a, 'session ' || n FROM unnest($2::int[]) a, generate_series(1, 50) n RETURNING id`;

/** Finished tasks of 90 days: one in twelve failed, some of other triggers, some long or dear. */
const TASKS = `INSERT INTO agents.tasks (company_id, id, agent_id, session_no, session_id, status, version, release, application_id,
    snapshot, input_messages, max_iterations, has_secrets, trigger, output, failure_class, error_code, total_tokens, cost,
    date_created, started_at, completed_at)
  SELECT $1, gen_random_uuid(), e.agent_id, e.id, e.session_id, CASE WHEN n % 12 = 0 THEN 'FAILED' ELSE 'COMPLETED' END,
    '1.' || n % 5 || '.0', CASE WHEN n % 3 = 0 THEN 'production' END, 1, '{}',
    jsonb_build_array(jsonb_build_object('role', 'user', 'content', 'question number ' || n)), 10, false,
    (ARRAY['API', 'API', 'API', 'CHAT', 'TEST'])[1 + n % 5], '{"content":"an answer"}',
    CASE WHEN n % 12 = 0 THEN (ARRAY['provider', 'timeout', 'quality'])[1 + n % 3] END,
    CASE WHEN n % 12 = 0 THEN (ARRAY['provider_error', 'timeout', 'max_iterations'])[1 + n % 3] END,
    n % 5000, (n % 5000) * 0.00001, at, at + 5, at + 5 + (exp(4 + 6 * random()))::bigint
  FROM (SELECT n, ($4::bigint + random() * 90 * ${DAY}::bigint)::bigint AS at, 1 + n % cardinality($5::int[]) AS own
    FROM generate_series($2::int, $3::int) n) d
  JOIN agents.sessions e ON e.company_id = $1 AND e.id = ($5::int[])[own]`;

/** Fills a company with finished tasks past the service; returns the id of one of its agents. */
export async function fillTasks(platform: Platform, companyId: number, count: number): Promise<number> {
  const ids = async (text: string, values: unknown[]): Promise<number[]> =>
    (await platform.sql.query<{ id: number }>(text, values)).rows.map(({ id }) => id);
  await platform.sql.query(APPLICATION, [companyId]);
  const agents = await ids(AGENTS, [companyId]);
  const sessions = await ids(SESSIONS, [companyId, agents]);
  const starts = Date.now() - 90 * DAY;
  await fill(platform, { table: 'agents.tasks', insert: TASKS, count, values: [companyId, starts, sessions] });
  return agents[2]!;
}
