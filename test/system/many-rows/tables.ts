/** Rows of each large table: so many that a plan by an index is the cheaper one. */
export const ROWS = 60_000;
/** Rows that a job or an effect is to find among them. */
export const FOUND = 400;
/** Days for which a company keeps its runs, requests and sessions. */
export const KEPT_DAYS = 30;

const DAY_MS = 86_400_000;
const NOW = Date.now();
/** A time of row n in SQL: the first ones are older than what is kept, the others are of the last days. */
const AT = `(CASE WHEN n <= ${FOUND} THEN ${NOW - 40 * DAY_MS} ELSE ${NOW - 2 * DAY_MS} END + n)::bigint`;
const ID = `md5($1::int || '-' || n)::uuid`;
const rows = (from = 1, to = ROWS): string => `generate_series(${from}, ${to}) n`;
const fill = (table: string, columns: string, values: string, source = rows()): string =>
  `INSERT INTO ${table} (company_id, ${columns}) SELECT $1::int, ${values} FROM ${source}`;

/** The tables with which every service sends and works. */
const infrastructure = (schema: string): string[] => [
  fill(
    `"${schema}".work`,
    'kind, ref, due_at, done_at',
    `'gone', n::text, now(), now() - CASE WHEN n <= ${FOUND} THEN interval '30 days' ELSE interval '1 hour' END`,
  ),
  fill(
    `"${schema}".idempotency`,
    'route, key, body_hash, locked_until, date_created',
    `'r', n::text, '', 0, ${AT} + ${2 * DAY_MS}`,
  ),
  fill(
    `"${schema}".outbox`,
    'message_id, subject, payload, sent_at',
    `gen_random_uuid(), 'none', '', CASE WHEN n <= ${FOUND} THEN ${NOW - 3 * DAY_MS} ELSE ${NOW} END`,
  ),
  fill(`"${schema}".inbox`, 'consumer, message_id, date_created', `'none', n::text, ${AT}`),
];

/** The day of the old requests, as if they had been recorded then. */
export const OLD_DAY = Math.floor((NOW - 40 * DAY_MS) / DAY_MS) * DAY_MS;

/** Statements that give company `$1` many rows, service by service; `$2` is an application of the company. */
export const SEEDS: Record<string, readonly string[]> = {
  agents: [
    `INSERT INTO agents.agents (company_id, id, application_id, agent_name, status, execution_mode, max_iterations)
     OVERRIDING SYSTEM VALUE SELECT $1::int, 1000000 + n, $2::int, 'agent ' || n, 'ENABLED', 'reasoning', 10 FROM generate_series(1, 250) n`,
    `INSERT INTO agents.sessions (company_id, id, agent_id, session_id, last_activity)
     OVERRIDING SYSTEM VALUE SELECT $1::int, n, 1000001, 'session ' || n, ${AT} FROM ${rows()}`,
    fill(
      'agents.tasks',
      'id, agent_id, session_no, session_id, status, application_id, snapshot, input_messages, max_iterations, has_secrets, trigger, work_kind, completed_at',
      `${ID}, 1000001, n, 'session ' || n, 'COMPLETED', $2::int, '{}', '[]', 1, false, 'API', 'agent_task', ${AT}`,
    ),
    // They wait for callbacks, so that no worker takes them.
    fill(
      'agents.tasks',
      'id, agent_id, session_no, session_id, status, application_id, snapshot, input_messages, max_iterations, has_secrets, trigger, work_kind',
      `gen_random_uuid(), 1000001, n, 'session ' || n, 'WAITING_WEBHOOK', $2::int, '{}', '[]', 1, false, 'API', 'agent_task'`,
      rows(ROWS - 2 * FOUND, ROWS - 1),
    ),
    fill(
      'agents.task_steps',
      'task_id, step_no, kind, status, request, result, duration_ms',
      `${ID}, 1, 'model', 'SUCCESS', '{}', '{}', 1`,
    ),
    fill('agents.task_events', 'task_id, seq, type, data, timestamp', `${ID}, 1, 'task.completed', '{}', ${AT}`),
    fill('agents.task_timeline', 'task_id, session_no, type, data, timestamp', `${ID}, n, 'message', '{}', ${AT}`),
    fill(
      'agents.task_hooks',
      'hook_hash, task_id, step_no, work_kind, expires_at, answered_at',
      `n::text, ${ID}, 1, 'agent_task', ${AT}, ${AT}`,
    ),
    ...infrastructure('agents'),
  ],
  workflows: [
    `INSERT INTO workflows.workflows (company_id, id, application_id, workflow_ref_name, workflow_name, description, language, script_key,
       script_sha256, script_has_transform, execution_mode, allow_inproc_nesting, timeout_seconds, memory_mb, status)
     OVERRIDING SYSTEM VALUE SELECT $1::int, 1000000 + n, $2::int, 'flow-' || n, 'flow', '', 'javascript', $1::int || '/' || repeat('a', 64), repeat('a', 64), false, 'sync', false, 60, 64, 'ENABLED'
     FROM generate_series(1, 250) n`,
    fill(
      'workflows.runs',
      'id, status, work_kind, workflow_id, workflow_ref_name, application_id, session_id, trigger, root_trigger, mode, snapshot, completed_at',
      `${ID}, 'COMPLETED', 'workflow_run', 1000001, 'flow-1', $2::int, n::text, 'API', 'API', 'sync', '{}', ${AT}`,
    ),
    fill('workflows.run_events', 'run_id, seq, type, data, timestamp', `${ID}, 1, 'run.completed', '{}', ${AT}`),
    fill('workflows.run_timeline', 'run_id, type, data, timestamp', `${ID}, 'log', '{}', ${AT}`),
    fill('workflows.run_results', 'run_id, kind, name, result, date_created', `${ID}, 'step', 'a', '1', ${AT}`),
    fill(
      'workflows.artifacts',
      'workflow_id, key, content_type, size_bytes, sha256, upload_id',
      `1000001, n::text, 'text/plain', 1, md5(n::text), ${ID}`,
    ),
    fill(
      'workflows.artifact_parts',
      'upload_id, part, sha256, size_bytes, date_created',
      `${ID}, 0, md5(n::text), 1, ${AT}`,
    ),
    // Parts of uploads that were given up.
    fill(
      'workflows.artifact_parts',
      'upload_id, part, sha256, size_bytes, date_created',
      `md5('given up ' || n)::uuid, 0, md5(n::text), 1, ${NOW - 50 * DAY_MS}`,
      rows(1, FOUND),
    ),
  ],
  traffic: [
    fill(
      'traffic.requests',
      'request_id, session_id, request_type, model, provider, params, status, prompt_tokens, completion_tokens, total_tokens, metadata, date_created, application_id, origin',
      `${ID}, n::text, 'PROD', 'm', 'p', '{}', 'COMPLETED', 1, 1, 2, '{}', ${AT}, $2::int, 'CHAT'`,
    ),
    fill(
      'traffic.sessions',
      'session_id, application_id, first_request_at, last_request_at',
      `n::text, $2::int, ${AT}, ${AT}`,
    ),
    fill('traffic.request_tags', 'tag_id, request_id, request_date', `1, ${ID}, ${AT}`),
    fill(
      'traffic.request_objects',
      'object_key, request_id, part, date_created',
      `$1::int || '/' || md5(n::text), ${ID}, 'params', ${AT}`,
    ),
    fill(
      'traffic.evaluation_results',
      'evaluation_request_id, request_id, request_date, sentinel_id, sentinel_name, severity, status, description, eval_time_ms, usage, is_current, date_created',
      `gen_random_uuid(), ${ID}, ${AT}, 1, 's', 1, 'PASS', '', 1, '{}', true, ${AT}`,
    ),
  ],
  accounts: [
    `INSERT INTO accounts.webhooks (company_id, id, url, events, enabled, secret, secret_last4) OVERRIDING SYSTEM VALUE
     SELECT $1::int, 1000000 + n, 'https://example.com/' || n, '{none}', false, '', '' FROM generate_series(1, 3) n`,
    fill(
      'accounts.webhook_deliveries',
      'webhook_id, event_id, event, status, request_body, date_created',
      `1000001, ${ID}, 'none', 'SUCCEEDED', '', ${AT}`,
    ),
    fill(
      'accounts.audit_log',
      'message_id, action, resource_type, resource_id, request_id, date_created',
      `n::text, 'update', 'agent', '1', '', ${AT}`,
    ),
  ],
  training: [
    fill(
      'training.upload_parts',
      'upload_id, part, content, date_created',
      `${ID}, 0, '', CASE WHEN n <= ${FOUND} THEN ${NOW - 2 * 3_600_000} ELSE ${NOW} END`,
    ),
    fill(
      'training.dataset_requests',
      'dataset_id, source, messages, response, input_hash, body_bytes',
      `1, 'UPLOAD', '[]', '{}', n::text, 1`,
    ),
  ],
};

const uuid = `md5($1::int || '-${FOUND}')::uuid`;

/** Whether the last row that the jobs of a service are to delete is there; each look-up reads one row. */
export const LEFT: Record<string, readonly string[]> = {
  agents: [
    `agents.tasks WHERE company_id = $1 AND id = ${uuid}`,
    `agents.sessions WHERE company_id = $1 AND id = ${FOUND}`,
    `agents.work WHERE company_id = $1 AND kind = 'gone' AND ref = '${FOUND}'`,
    `agents.idempotency WHERE company_id = $1 AND route = 'r' AND key = '${FOUND}'`,
    `agents.inbox WHERE company_id = $1 AND consumer = 'none' AND message_id = '${FOUND}'`,
  ],
  workflows: [
    `workflows.runs WHERE company_id = $1 AND id = ${uuid}`,
    `workflows.artifact_parts WHERE company_id = $1 AND upload_id = md5('given up ${FOUND}')::uuid`,
  ],
  traffic: [
    `traffic.requests WHERE company_id = $1 AND request_id = ${uuid}`,
    `traffic.sessions WHERE company_id = $1 AND session_id = '${FOUND}' AND deleted_at IS NULL`,
  ],
  accounts: [
    `accounts.webhook_deliveries WHERE company_id = $1 AND webhook_id = 1000001 AND event_id = ${uuid} AND replay_of IS NULL`,
  ],
  training: [`training.upload_parts WHERE company_id = $1 AND upload_id = ${uuid}`],
};
