import { randomUUID } from 'node:crypto';

/** A task with one model call that has ended. */
export interface EndedTask {
  id: string;
  company: number;
  agent: number;
  snapshot: string;
  messages: { role: string; content: string }[];
  output: { role: string; content: string };
  model: string;
  usage: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
}

/** A prepared statement with its values. */
interface Statement {
  name: string;
  text: string;
  values: unknown[];
}

const TASK = `WITH session AS (
    INSERT INTO agents.sessions (company_id, agent_id, session_id) VALUES ($1, $2, $3) RETURNING id)
  INSERT INTO agents.tasks (company_id, id, work_kind, agent_id, session_no, session_id, status, application_id, snapshot,
    input_messages, max_iterations, has_secrets, trigger, output, structured_output, model, iterations, prompt_tokens,
    completion_tokens, total_tokens, last_seq, started_at, completed_at)
  SELECT $1, $4, 'agent_task', $2, session.id, $3, 'COMPLETED', a.application_id, $5, $6, 10, false, 'API', $7, 'null', $8,
    1, $9, $10, $11, 3, $12, $12
  FROM session, agents.agents a WHERE a.company_id = $1 AND a.id = $2 RETURNING session_no`;

const LIFECYCLE = [
  ['queued', 'QUEUED'],
  ['started', 'RUNNING'],
  ['completed', 'COMPLETED'],
] as const;

const listed = (rows: readonly { type: string; data: object }[]): [string[], string[]] => [
  rows.map(({ type }) => type),
  rows.map(({ data }) => JSON.stringify(data)),
];

/** The rows that the product writes of such a task: session, task, step, stream, timeline, work and messages. */
export function rowsOf({ id, company, agent, snapshot, messages, output, model, usage }: EndedTask): Statement[] {
  const now = Date.now();
  const session_id = randomUUID();
  const step = { kind: 'model', step_no: 1, message: output, model, usage, problem: null };
  const record = {
    ...{
      id,
      agent_id: agent,
      parent_task_id: null,
      session_id,
      version: null,
      reported_version: null,
      release: null,
      iterations: 1,
    },
    ...{ failure_class: null, error_code: null, error_message: null, started_at: now, completed_at: now },
    ...{ trigger: 'API', metadata: {}, date_created: now, duration_ms: 0, cost: null, usage: { ...usage, cost: null } },
  };
  const event = (type: string, data: object) => ({ type, data: { type, timestamp: now, task_id: id, ...data } });
  const events = listed([
    event('task.started', { agent_id: agent, session_id }),
    event('message.delta', { content: output.content, step: 1 }),
    event('task.completed', { result: { id, model, choices: [{ index: 0, message: output }], usage } }),
  ]);
  const timeline = listed([
    { type: 'task_start', data: { status: 'RUNNING' } },
    ...messages.map((data) => ({ type: 'message', data })),
    { type: 'model_called', data: { step: 1, model } },
    { type: 'model_answered', data: { step: 1, usage } },
    { type: 'task_end', data: { status: 'COMPLETED' } },
    { type: 'message', data: output },
  ]);
  const sent = LIFECYCLE.map(([name, status]) => {
    const event_id = randomUUID();
    const resource = { type: 'agent_task', id };
    const envelope = { event_id, event: `agent_task.${name}`, company_id: company, occurred_at: now, resource };
    return {
      event_id,
      subject: `events.${company}.agent_task.${name}`,
      text: JSON.stringify({ ...envelope, data: { ...record, status } }),
    };
  });
  const { prompt_tokens, completion_tokens, total_tokens } = usage;
  const bodies = [snapshot, JSON.stringify(messages), JSON.stringify(output)];
  const task = [company, agent, session_id, id, ...bodies, model, prompt_tokens, completion_tokens, total_tokens, now];
  const messageIds = sent.map(({ event_id }) => event_id);
  const outbox = [messageIds, company, sent.map(({ subject }) => subject), sent.map(({ text }) => text)];
  return [
    { name: 'task', text: TASK, values: task },
    {
      name: 'step',
      text: `INSERT INTO agents.task_steps (company_id, task_id, step_no, kind, status, request, result, duration_ms)
        VALUES ($1, $2, 1, 'model', 'SUCCESS', '{}', $3, 1)`,
      values: [company, id, JSON.stringify(step)],
    },
    {
      name: 'events',
      text: `INSERT INTO agents.task_events (company_id, task_id, seq, type, data, timestamp)
        SELECT $1, $2, n, t, d::jsonb, $5 FROM unnest($3::text[], $4::text[]) WITH ORDINALITY u(t, d, n)`,
      values: [company, id, ...events, now],
    },
    {
      name: 'timeline',
      text: `INSERT INTO agents.task_timeline (company_id, task_id, session_no, type, data, timestamp)
        SELECT $1, $2, k.session_no, t, d::jsonb, $5 FROM unnest($3::text[], $4::text[]) u(t, d), agents.tasks k
        WHERE k.company_id = $1 AND k.id = $2`,
      values: [company, id, ...timeline, now],
    },
    {
      name: 'work',
      text: `INSERT INTO agents.work (company_id, kind, ref, due_at, done_at) VALUES ($1, 'agent_task', $2, now(), now())`,
      values: [company, id],
    },
    {
      name: 'outbox',
      text: `INSERT INTO agents.outbox (message_id, company_id, subject, payload)
        SELECT m::uuid, $2, s, p FROM unnest($1::text[], $3::text[], $4::text[]) u(m, s, p)`,
      values: outbox,
    },
  ];
}
