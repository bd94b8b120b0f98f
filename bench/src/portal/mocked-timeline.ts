import type { Page } from 'playwright-core';

const ROOT = '11111111-1111-4111-8111-111111111111';
const CHILD = '22222222-2222-4222-8222-222222222222';
/** Steps of the sub-agent, and the characters that an action is given and gives. */
const INSIDE = 500;
const TEXT = 200;
const STEP_MS = 400;

/** Two events are a step: a call of the model, or one of an action. */
function event(n: number, total: number, began: number): object {
  const step = n >> 1;
  const task_id = step > 10 && step <= 10 + INSIDE ? CHILD : ROOT;
  const base = { seq: n, timestamp: began + n * (STEP_MS / 2), task_id, run_id: null };
  if (n === total - 1) return { ...base, type: 'task_end', status: 'COMPLETED' };
  if (step === 10 && n % 2 === 0)
    return { ...base, type: 'sub_agent_invoked', child_task_id: CHILD, child_agent_name: 'Helper' };
  const isModel = step % 2 === 0;
  const request_id = `33333333-3333-4333-8333-${String(n).padStart(12, '0')}`;
  if (n % 2 === 0)
    return isModel
      ? { ...base, type: 'model_called', step, model: 'simulated-echo', request_id }
      : { ...base, type: 'action_invoked', step, action_name: 'find_order', arguments: { note: 'x'.repeat(TEXT) } };
  return isModel
    ? { ...base, type: 'model_answered', step, duration_ms: 150, usage: { total_tokens: 3 } }
    : { ...base, type: 'action_result', step, status: 'SUCCESS', output: { found: 'y'.repeat(TEXT) } };
}

const task = (began: number): object => ({
  id: ROOT,
  agent_id: 1,
  agent_name: 'Clerk',
  status: 'COMPLETED',
  failure_class: null,
  error_code: null,
  error_message: null,
  input_messages: [{ role: 'user', content: 'count' }],
  output: { role: 'assistant', content: 'done' },
  version: null,
  release: null,
  trigger: 'API',
  session_id: 'long',
  application_id: 1,
  parent_task_id: null,
  duration_ms: 1000,
  cost: 0.01,
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  date_created: began,
  started_at: began,
  completed_at: began + 1000,
});

/** A task whose timeline has so many steps; returns the address of its page. */
export async function mockTimeline(page: Page, steps: number): Promise<string> {
  const [total, began] = [steps * 2, Date.now()];
  await page.route(/\/api\/v1\/agents\/.*tasks\/[^/?]+(\/timeline)?(\?|$)/, async (route) => {
    const { pathname, searchParams } = new URL(route.request().url());
    if (!pathname.endsWith('/timeline')) return route.fulfill({ json: { data: task(began) } });
    const [offset, limit] = [Number(searchParams.get('offset') ?? 0), Number(searchParams.get('limit') ?? 25)];
    const rows = Math.max(0, Math.min(limit, total - offset));
    const data = Array.from({ length: rows }, (_, n) => event(offset + n, total, began));
    return route.fulfill({ json: { data, pagination: { total, offset, limit, returned: rows } } });
  });
  return `/runs/task/${ROOT}`;
}
