import type { ErrorCode, FailureClass } from '@signalbox/contracts';
import { type EndedTask, invocationError, invocationOf, stillRunning } from './task-end.js';

const task: EndedTask = {
  id: 't',
  session_id: 's',
  status: 'FAILED',
  output: null,
  structured_output: null,
  model: 'm',
  usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3, cost: null },
  failure_class: null,
  error_code: null,
  error_message: 'why',
  completed_at: 1999,
};

describe('the reply to an invocation', () => {
  it('is the answer in the OpenAI shape', () => {
    const output = { role: 'assistant' as const, content: '{"a":1}' };
    expect(invocationOf({ ...task, status: 'COMPLETED', output, structured_output: { a: 1 } })).toEqual({
      id: 't',
      task_id: 't',
      session_id: 's',
      object: 'chat.completion',
      created: 1,
      model: 'm',
      choices: [{ index: 0, message: output, finish_reason: 'stop' }],
      usage: task.usage,
      structured_output: { a: 1 },
    });
  });

  it.each<[FailureClass | null, ErrorCode | null, number]>([
    ['quality', 'output_schema', 422],
    ['quality', 'max_iterations', 422],
    ['quality', 'budget_exceeded', 422],
    ['internal', 'rule_too_costly', 422],
    ['internal', 'model_not_found', 404],
    ['internal', 'application_disabled', 409],
    ['internal', 'invalid_config', 422],
    ['provider', 'provider_error', 502],
    ['timeout', 'timeout', 504],
    ['internal', 'secrets_unavailable', 500],
    ['internal', 'interrupted', 500],
    ['sandbox', 'egress_denied', 500],
    ['sandbox', 'script_error', 500],
    ['quality', null, 500],
    [null, null, 500],
  ])('a task failed %s/%s is %i', (failure_class, error_code, status) => {
    const error = invocationError({ ...task, failure_class, error_code });
    expect([error.status, error.message, error.extras.failureClass]).toEqual([
      status,
      'why',
      failure_class ?? undefined,
    ]);
    expect(error.extras.headers).toEqual({ 'X-Service-Task-Id': 't', 'X-Service-Session-Id': 's' });
  });

  it('a cancelled task is 409, one that continues is 504', () => {
    expect(invocationError({ ...task, status: 'CANCELLED' }).status).toBe(409);
    expect(stillRunning(task).status).toBe(504);
  });
});
