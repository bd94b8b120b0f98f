export const USAGE = `json_build_object('prompt_tokens', t.prompt_tokens, 'completion_tokens', t.completion_tokens,
  'total_tokens', t.total_tokens, 'cost', t.cost)`;

export const TASK_RECORD = `t.id, t.agent_id, t.parent_task_id, t.session_id, t.status, t.version, t.reported_version, t.release, t.iterations,
  t.failure_class, t.error_code, t.error_message, t.started_at, t.completed_at, t.trigger, t.metadata, t.date_created,
  t.completed_at - t.started_at AS duration_ms, t.cost, ${USAGE} AS usage`;
