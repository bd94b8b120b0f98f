import { formFields, type InputOf, subAgents, tasks } from '@signalbox/contracts';
import { type TaskCompany, TaskWorld } from '../task-world.js';

export { refusal } from '../task-world.js';

export let outside: TaskWorld;
export let company: TaskCompany;
export let parent: number;
export let child: number;
beforeAll(async () => {
  outside = await TaskWorld.start();
}, 60_000);
afterAll(() => outside.stop());
beforeEach(async () => {
  company = await outside.company();
  outside.reset();
  child = (await company.world.agent({ agent_name: 'Weather desk', model: 'm', system_prompt: 'CHILD' })).id;
  parent = (await company.world.agent({ agent_name: 'Front desk', model: 'm', system_prompt: 'PARENT' })).id;
});

export type Ask = Parameters<Parameters<TaskWorld['provider']['answerWith']>[0]>[0];
export const system = ({ messages }: Ask): string => String(messages[0]?.content);
export const lastOf = ({ messages }: Ask) => messages.at(-1);
export const call = <E extends Parameters<typeof outside.platform.bus.call>[0]>(endpoint: E, input: object) =>
  outside.platform.bus.call(endpoint, input as InputOf<E>, company.world.caller());
export const link = (change: object = {}, agent_id = parent, child_agent_id = child) =>
  call(subAgents.endpoints.addSubAgent, { agent_id, child_agent_id, action_result_type: 'gather_info', ...change });
export const field = (agent_id: number, field_key: string, change: object = {}) =>
  call(formFields.endpoints.createFormField, {
    agent_id,
    field_key,
    label: field_key,
    field_type: 'string',
    required: false,
    read_scope: 'all',
    write_scope: 'all',
    ...change,
  });
export const streamed = async (agent_id: number, task_id: string) => {
  const part = await call(tasks.endpoints.streamTask, { agent_id, task_id, last_event_id: 0 });
  return (part as { events: { type: string; data: Record<string, unknown> }[] }).events;
};
export const childrenOf = async (taskId: string) => {
  const { rows } = await outside.platform.sql.query<Record<string, unknown>>(
    'SELECT * FROM agents.tasks WHERE parent_task_id = $1 ORDER BY no',
    [taskId],
  );
  return rows;
};
export const ask = (name: string, given: object) => ({
  toolCalls: [{ name, arguments: given as Record<string, unknown> }],
});

/** A parent that asks its sub-agent once, and a sub-agent that answers with what it is asked. */
export function asksOnce(
  answer: (request: Ask) => string | object = (r) => `sunny in ${String(lastOf(r)?.content)}`,
): void {
  outside.provider.answerWith((request) => {
    if (system(request).startsWith('CHILD')) return answer(request) as string;
    const last = lastOf(request);
    return last?.role === 'tool' ? `result: ${String(last.content)}` : ask('Weather_desk', { message: 'Rome' });
  });
}
