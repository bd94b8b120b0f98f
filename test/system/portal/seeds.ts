import type { Platform } from '@signalbox/testing';

/** Events in the timeline of the long task, its sub-agent's among them. */
export const EVENTS = 30_000;
/** The sub-agent's events. */
const INSIDE = 1000;
/** Turns of the long session. */
export const TURNS = 3000;
/** Tasks in the long list. */
export const TASKS = 5000;
export const LONG_TASK = '11111111-1111-4111-8111-111111111111';
const CHILD_TASK = '22222222-2222-4222-8222-222222222222';
/** It waits for a callback that never comes. */
export const WAITING_TASK = '44444444-4444-4444-8444-444444444444';
export const LONG_SESSION = 'a-long-talk';
export const WORKFLOW_RUN = '33333333-3333-4333-8333-333333333333';
/** A text that has to be shown in steps. */
export const LARGE = 300_000;

const TASK_COLUMNS = `company_id, id, agent_id, session_no, session_id, status, application_id, snapshot, input_messages, output,
  max_iterations, has_secrets, trigger, cost, total_tokens, started_at, completed_at, date_created, parent_task_id, parent_step, failure_class, error_code, error_message`;

/** One task with a timeline of many events: calls of a model and of an action, a few errors, a sub-agent, an idle time. */
const LONG_TIMELINE = `
  INSERT INTO agents.tasks (${TASK_COLUMNS})
  SELECT $1::int, v.id::uuid, $3::int, 1000001, 'long', v.status, $2::int, '{}', '[{"role":"user","content":"Count to many"}]',
    NULL, 10, false, v.trigger, 1.25, 90000, $4::bigint - 9000000, $4::bigint - 1000, $4::bigint - 9000000, v.parent::uuid, v.step, v.class, v.code, NULL
  FROM (VALUES ('${LONG_TASK}', 'FAILED', 'API', NULL, NULL, 'provider', 'provider_error'),
    ('${CHILD_TASK}', 'COMPLETED', 'SUB_AGENT', '${LONG_TASK}', 10, NULL, NULL)) v (id, status, trigger, parent, step, class, code)`;
const SESSIONS = `
  INSERT INTO agents.sessions (company_id, id, agent_id, session_id, last_activity)
  OVERRIDING SYSTEM VALUE VALUES ($1::int, 1000001, $3::int, 'long', $4::bigint), ($1::int, 1000002, $3::int, 'list', $4::bigint),
    ($1::int, 1000003, $3::int, 'waiting', $4::bigint)`;
const WAITING = `
  INSERT INTO agents.tasks (company_id, id, agent_id, session_no, session_id, status, application_id, snapshot, input_messages, max_iterations,
    has_secrets, trigger, started_at, date_created)
  VALUES ($1::int, '${WAITING_TASK}', $3::int, 1000003, 'waiting', 'WAITING_WEBHOOK', $2::int, '{}', '[{"role":"user","content":"May I?"}]', 10,
    false, 'API', $4::bigint, $4::bigint)`;
const TIMELINE = `
  INSERT INTO agents.task_timeline (company_id, task_id, session_no, type, data, timestamp)
  SELECT $1::int, (CASE WHEN n BETWEEN 11 AND ${INSIDE + 10} THEN '${CHILD_TASK}' ELSE '${LONG_TASK}' END)::uuid, 1000001, e.type, e.data,
    $4::bigint - 9000000 + n * 200 + CASE WHEN n > 15000 THEN 600000 ELSE 0 END
  FROM generate_series(1, ${EVENTS}) n, LATERAL (SELECT
    CASE WHEN n = 10 THEN 'sub_agent_invoked' WHEN n = ${EVENTS} THEN 'task_end' WHEN n % 4 = 1 THEN 'model_called' WHEN n % 4 = 2 THEN 'model_answered'
      WHEN n % 4 = 3 THEN 'action_invoked' ELSE 'action_result' END AS type,
    CASE WHEN n = 10 THEN jsonb_build_object('child_task_id', '${CHILD_TASK}', 'child_agent_id', $3::int)
      WHEN n = ${EVENTS} THEN '{"status":"FAILED"}'::jsonb
      WHEN n % 4 = 1 THEN jsonb_build_object('step', n, 'model', 'simulated-echo', 'request_id', null)
      WHEN n % 4 = 2 THEN jsonb_build_object('step', n - 1, 'duration_ms', 150, 'finish_reason', 'stop', 'usage', '{"prompt_tokens":2,"completion_tokens":1,"total_tokens":3}'::jsonb)
      WHEN n % 4 = 3 THEN jsonb_build_object('step', n, 'action_name', 'find_order', 'arguments', jsonb_build_object('order', n, 'note', repeat('x', 200)))
      ELSE jsonb_build_object('step', n - 1, 'action_name', 'find_order', 'duration_ms', 150, 'status', CASE WHEN n IN (400, 20000) THEN 'ERROR' ELSE 'SUCCESS' END,
        'output', jsonb_build_object('found', repeat('y', 200))) END AS data) e`;

const MANY_TASKS = `
  INSERT INTO agents.tasks (${TASK_COLUMNS})
  SELECT $1::int, md5('task ' || n)::uuid, $3::int, 1000002, 'list', CASE WHEN n % 50 = 0 THEN 'FAILED' ELSE 'COMPLETED' END, $2::int, '{}',
    jsonb_build_array(jsonb_build_object('role', 'user', 'content', 'listed question ' || n)),
    jsonb_build_object('role', 'assistant', 'content', 'listed answer ' || n), 10, false, 'API', n / 10000.0, n,
    $4::bigint - n * 1000, $4::bigint - n * 1000 + n, $4::bigint - n * 1000, NULL, NULL,
    CASE WHEN n % 50 = 0 THEN 'quality' END, CASE WHEN n % 50 = 0 THEN 'output_schema' END, NULL
  FROM generate_series(1, ${TASKS}) n`;

/** A session of chat traffic with many turns; each sends what was said before it, as clients do, but only the last of it. */
const LONG_TALK = `
  INSERT INTO traffic.requests (company_id, request_id, session_id, request_type, model, provider, params, response, status, prompt_tokens,
    completion_tokens, total_tokens, cost, response_time_ms, metadata, date_created, application_id, origin)
  SELECT $1::int, md5('turn ' || n)::uuid, '${LONG_SESSION}', 'PROD', 'simulated-echo', 'simulated',
    jsonb_build_object('model', 'simulated-echo', 'messages', jsonb_build_array(jsonb_build_object('role', 'user', 'content', 'turn ' || n || repeat(' and more', n % 40)))),
    jsonb_build_object('id', 'x', 'object', 'chat.completion', 'created', 1, 'model', 'simulated-echo', 'choices', jsonb_build_array(jsonb_build_object(
      'index', 0, 'finish_reason', 'stop', 'message', jsonb_build_object('role', 'assistant', 'content', 'answer to turn ' || n || CASE WHEN n = 1 THEN repeat(' large', ${LARGE / 6}) ELSE '' END)))),
    'COMPLETED', 10, 5, 15, 0.001, 120, '{}', $4::bigint - 3600000 + n, $2::int, 'CHAT'
  FROM generate_series(1, ${TURNS}) n`;
const TALK = `
  INSERT INTO traffic.sessions (company_id, session_id, application_id, request_count, first_request_at, last_request_at)
  VALUES ($1::int, '${LONG_SESSION}', $2::int, ${TURNS}, $4::bigint - 3600000, $4::bigint)`;

const WORKFLOW = `
  INSERT INTO workflows.workflows (company_id, id, application_id, workflow_ref_name, workflow_name, description, language, script_key, script_sha256,
    script_has_transform, execution_mode, allow_inproc_nesting, timeout_seconds, memory_mb, status)
  OVERRIDING SYSTEM VALUE VALUES ($1::int, 1000001, $2::int, 'refund', 'Refund', '', 'javascript', $1::int || '/' || repeat('a', 64), repeat('a', 64),
    false, 'sync', false, 60, 64, 'ENABLED')`;
const WORKFLOW_RUNS = `
  INSERT INTO workflows.runs (company_id, id, status, work_kind, workflow_id, workflow_ref_name, application_id, session_id, trigger, root_trigger, mode,
    snapshot, input, output, started_at, completed_at, failure_class, error_code, error_message)
  SELECT $1::int, CASE WHEN n = 1 THEN '${WORKFLOW_RUN}' ELSE md5('run ' || n) END::uuid, CASE WHEN n = 3 THEN 'FAILED' ELSE 'COMPLETED' END, 'workflow_run',
    1000001, 'refund', $2::int, n::text, 'API', 'API', 'sync', '{}', jsonb_build_object('order', n), jsonb_build_object('ok', true),
    $4::bigint - 5000, $4::bigint - 4000, CASE WHEN n = 3 THEN 'sandbox' END, CASE WHEN n = 3 THEN 'script_error' END, CASE WHEN n = 3 THEN 'no such order' END
  FROM generate_series(1, 3) n`;

/** What the company has to look at, written as the services would have. */
export interface Seeded {
  company: number;
  application: number;
  agent: number;
}

export const seed = (sql: Platform['sql'], places: Seeded): Promise<void> =>
  run(sql, places, [SESSIONS, LONG_TIMELINE, TIMELINE, WAITING, MANY_TASKS, LONG_TALK, TALK, WORKFLOW, WORKFLOW_RUNS]);

/** A task that waits for a callback which never comes. */
export const seedWaiting = (sql: Platform['sql'], places: Seeded): Promise<void> =>
  run(sql, places, [SESSIONS, WAITING]);

/** Without triggers: the counts of analytics are not the subject. Each statement takes company, application, agent and now. */
async function run(
  sql: Platform['sql'],
  { company, application, agent }: Seeded,
  statements: readonly string[],
): Promise<void> {
  const values = [company, application, agent, Date.now()];
  const client = await sql.connect();
  try {
    await client.query('SET session_replication_role = replica');
    for (const text of statements) {
      const used = Math.max(...[...text.matchAll(/\$(\d)/g)].map(([, n]) => Number(n)));
      // Parameters between those that a statement uses have to have a type as well.
      const typed = values
        .slice(0, used)
        .map((_, n) => `$${n + 1}::bigint`)
        .join(', ');
      await client.query(`WITH given AS (SELECT ${typed}) ${text}`, values.slice(0, used));
    }
    await client.query('ANALYZE agents.tasks, agents.task_timeline, traffic.requests');
  } finally {
    client.release(true);
  }
}
