import { agents, tasks } from '@signalbox/contracts';
import { eventually, timeScale } from '@signalbox/testing';
import { refusal } from '../task-world.js';
import { company, outside } from './fixture.js';
import { PAGE } from '../world.js';

describe('a task', () => {
  it('is cancelled at once, its model call with it; a second time is 409', async () => {
    outside.provider.answerWith(() => ({ hang: true }));
    const agentId = await company.agent();
    const { task_id } = await company.invoke(agentId, { wait: false });
    const waiting = company.task(agentId, task_id, 10);
    await eventually('the model is asked', () => outside.provider.calls.length > 0);
    const cancel = () =>
      outside.platform.bus.call(tasks.endpoints.cancelTask, { agent_id: agentId, task_id }, company.world.caller());
    const began = Date.now();
    expect((await cancel()).status).toBe('CANCELLED');
    expect((await waiting).status).toBe('CANCELLED');
    // A call that is not woken up waits for its 10 s.
    expect(Date.now() - began).toBeLessThan(7000 * timeScale());
    expect((await refusal(cancel())).status).toBe(409);
    await eventually('the work is done', async () => {
      const { rows } = await outside.platform.sql.query('SELECT done_at FROM agents.work WHERE ref = $1', [task_id]);
      return (rows[0] as { done_at: unknown }).done_at;
    });
  });

  it('that is cancelled stops its actions in the background, and its timeline says so', async () => {
    outside.target.answerWith(() => ({ hang: true }));
    outside.provider.answerWith(({ messages }) =>
      messages.at(-1)?.role === 'tool' ? { hang: true } : { toolCalls: [{ name: 'look_up', arguments: { id: '7' } }] },
    );
    const agentId = await company.agent({}, {}, { invocation_mode: 'background' });
    const { task_id } = await company.invoke(agentId, { wait: false });
    await eventually('the action runs', () => outside.target.calls.length > 0);
    const path = { agent_id: agentId, task_id };
    await outside.platform.bus.call(tasks.endpoints.cancelTask, path, company.world.caller());
    await eventually('the call is dropped', () => outside.target.calls[0]!.endedAt !== null);
    const result = await eventually('its result arrives', async () =>
      (await company.timeline(agentId, task_id)).data.find(({ type }) => type === 'action_result'),
    );
    expect(result).toMatchObject({ action_name: 'look up', status: 'ERROR', message: 'the task was cancelled' });
  });

  it('cancelled while its caller waits answers 409', async () => {
    outside.target.answerWith(() => ({ hang: true }));
    const agentId = await company.agent();
    const call = refusal(company.invoke(agentId));
    await eventually('the action runs', () => outside.target.calls.length > 0);
    const page = await outside.platform.bus.call(
      tasks.endpoints.listTasks,
      { agent_id: agentId, ...PAGE, status: ['RUNNING'] },
      company.world.caller(),
    );
    const [task] = page.data;
    await outside.platform.bus.call(
      tasks.endpoints.cancelTask,
      { agent_id: agentId, task_id: task!.id },
      company.world.caller(),
    );
    expect((await call).status).toBe(409);
    await eventually('the call is dropped', () => outside.target.calls[0]!.endedAt !== null);
  });

  it('keeps the draft it began with, and a version is what was published', async () => {
    const agentId = await company.agent();
    await company.world.publish(agentId);
    const { bus } = outside.platform;
    let changed = false;
    outside.provider.answerWith(async ({ messages }) => {
      if (!changed)
        await bus.call(
          agents.endpoints.updateAgent,
          { agent_id: agentId, system_prompt: 'late' },
          company.world.caller(),
        );
      changed = true;
      return messages.at(-1)?.role === 'tool' ? 'done' : { toolCalls: [{ name: 'look_up', arguments: { id: '7' } }] };
    });
    const prompts = async (version?: string) => {
      changed = false;
      outside.provider.calls.length = 0;
      const reply = await company.invoke(agentId, version === undefined ? {} : { version });
      const task = await company.task(agentId, reply.task_id);
      return [task.version, ...outside.bodies().map(({ messages }) => (messages[0] as { content: string }).content)];
    };
    expect(await prompts()).toEqual([null, 'You help.', 'You help.']);
    expect(await prompts('1.0.0')).toEqual(['1.0.0', 'You help.', 'You help.']);
    expect(await prompts()).toEqual([null, 'late', 'late']);
  });
});
