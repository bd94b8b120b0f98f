import { completions, models, tasks } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { refusal } from '../task-world.js';
import { company, outside } from './fixture.js';
import { PAGE } from '../world.js';

describe('the calls of one session', () => {
  it('run one after the other in the order of their acceptance, each knowing the answers before it', async () => {
    const agentId = await company.agent();
    let running = 0;
    let most = 0;
    const seen: string[] = [];
    outside.provider.answerWith(async ({ messages }) => {
      most = Math.max(most, ++running);
      seen.push(JSON.stringify(messages.filter(({ role }) => role !== 'system').map(({ content }) => content)));
      await new Promise((resolve) => setTimeout(resolve, 50));
      running--;
      return { text: `answer ${seen.length}` };
    });
    const ids: string[] = [];
    for (let at = 1; at <= 4; at++) {
      const call = await company.invoke(agentId, { session_id: 'turns', wait: false, message: `call ${at}` });
      ids.push(call.task_id);
    }
    await Promise.all(ids.map((id) => company.ended(id)));
    expect(most).toBe(1);
    expect(JSON.parse(seen[3]!)).toEqual([...[1, 2, 3].flatMap((at) => [`call ${at}`, `answer ${at}`]), 'call 4']);
  });

  it('that repeat the conversation are remembered once, and only what fits into the context of the model', async () => {
    const agentId = await company.agent();
    const { bus } = outside.platform;
    let turns = 0;
    outside.provider.answerWith(() => `answer ${++turns}`);
    const heard = () =>
      outside
        .bodies()
        .at(-1)
        ?.messages.map((message) => (message as { content: string }).content);
    const conversation: { role: 'user' | 'assistant'; content: string }[] = [];
    for (const content of ['one', 'two']) {
      conversation.push({ role: 'user', content });
      const { choices } = await bus.call(
        completions.endpoints.createCompletion,
        { model: `agent:${agentId}`, session_id: 'mixed', messages: [...conversation], return_evaluation: false },
        company.world.caller(),
      );
      conversation.push((choices as { message: { role: 'assistant'; content: string } }[])[0]!.message);
    }
    await company.invoke(agentId, { session_id: 'mixed', message: 'three' });
    const first = ['You help.', 'one', 'answer 1', 'two', 'answer 2', 'three'];
    expect(heard()).toEqual(first);
    const messages = [...conversation, { role: 'user' as const, content: 'four' }];
    await company.invoke(agentId, { session_id: 'mixed', messages });
    expect(heard()).toEqual(['You help.', 'three', 'answer 3', 'one', 'answer 1', 'two', 'answer 2', 'four']);
    const { data } = await bus.call(models.endpoints.listModels, PAGE as never, company.world.caller());
    const model_id = data.find(({ model_name }) => model_name === 'm')?.id;
    const small = { model_id, context_window: 600 } as never;
    await bus.call(models.endpoints.updateModel, small, company.world.caller());
    await company.invoke(agentId, { session_id: 'mixed', message: 'five'.repeat(400) });
    expect(heard()?.[0]).toBe('You help.');
    expect(heard()?.at(-1)).toBe('five'.repeat(400));
    expect(heard()?.length).toBeLessThan(8);
  });

  it('do not wait for a call of another session, nor for one that was cancelled', async () => {
    const agentId = await company.agent();
    outside.provider.answerWith(({ messages }) =>
      messages.some(({ content }) => content === 'hang') ? { hang: true } : { text: 'here' },
    );
    const first = await company.invoke(agentId, { session_id: 'held', wait: false, message: 'hang' });
    await eventually('the model is asked', () => outside.provider.calls.length === 1);
    const second = await company.invoke(agentId, { session_id: 'held', wait: false });
    expect(await company.invoke(agentId, { session_id: 'other' })).toMatchObject({ session_id: 'other' });
    expect(await company.row(second.task_id)).toMatchObject({ status: 'QUEUED' });
    const cancelled = { agent_id: agentId, task_id: first.task_id };
    await outside.platform.bus.call(tasks.endpoints.cancelTask, cancelled, company.world.caller());
    expect(await company.ended(second.task_id)).toMatchObject({ status: 'COMPLETED' });
  });

  it('start when the one before ends while they are being queued', async () => {
    const agentId = await company.agent();
    outside.provider.answerWith(({ messages }) =>
      messages.some(({ content }) => content === 'hang') ? { hang: true } : { text: 'here' },
    );
    const { task_id } = await company.invoke(agentId, { session_id: 'ending', wait: false, message: 'hang' });
    await eventually('the model is asked', () => outside.provider.calls.length === 1);
    const ending = await outside.platform.sql.connect();
    try {
      // An end that has looked for the next task of the session before there was one, and is not committed yet.
      await ending.query('BEGIN');
      const end = `UPDATE agents.tasks SET status = 'CANCELLED', completed_at = 1 WHERE id = $1`;
      await ending.query(end, [task_id]);
      const next = await company.invoke(agentId, { session_id: 'ending', wait: false });
      await eventually('it was looked at', async () => {
        const { rows } = await outside.platform.sql.query<{ fence: number }>(
          'SELECT fence::int AS fence FROM agents.work WHERE ref = $1',
          [next.task_id],
        );
        return (rows[0]?.fence ?? 0) > 1;
      });
      expect(await company.row(next.task_id)).toMatchObject({ status: 'QUEUED' });
      await ending.query('COMMIT');
      expect(await company.ended(next.task_id, 10_000)).toMatchObject({ status: 'COMPLETED' });
    } finally {
      await ending.query('ROLLBACK');
      ending.release();
    }
  });

  it('are refused with 409 when they were queued for too long', async () => {
    const agentId = await company.agent();
    outside.provider.answerWith(() => ({ hang: true }));
    await company.invoke(agentId, { session_id: 'stuck', wait: false });
    await eventually('the model is asked', () => outside.provider.calls.length === 1);
    const second = refusal(company.invoke(agentId, { session_id: 'stuck', message: 'second' }));
    const queued = `agent_id = ${agentId} AND status = 'QUEUED'`;
    await eventually('it is queued', async () => {
      const { rowCount } = await outside.platform.sql.query(
        `UPDATE agents.tasks SET date_created = 1 WHERE ${queued} AND id IN (
           SELECT w.ref::uuid FROM agents.work w WHERE w.kind = 'agent_task' AND w.lease_owner IS NULL AND w.due_at > now())
         RETURNING id`,
      );
      return rowCount;
    });
    await outside.platform.sql.query(
      `UPDATE agents.work SET due_at = now() WHERE ref IN (SELECT id::text FROM agents.tasks WHERE ${queued})`,
    );
    expect(await second).toMatchObject({ status: 409, message: 'session busy' });
  });
});
