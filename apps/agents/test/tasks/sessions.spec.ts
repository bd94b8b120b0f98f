import { agentSessions } from '@signalbox/contracts';
import { eventually } from '@signalbox/testing';
import { refusal } from '../task-world.js';
import { company, outside } from './fixture.js';
import { PAGE } from '../world.js';

describe('a session', () => {
  it('is listed, judged and deleted', async () => {
    const agentId = await company.agent();
    const { task_id } = await company.invoke(agentId, { session_id: 'talk', message: 'a private message' });
    const path = { agent_id: agentId, session_id: 'talk' };
    const { bus } = outside.platform;
    const api = agentSessions.endpoints;
    const caller = () => company.world.caller({ keyId: 3 });
    expect((await bus.call(api.listAgentSessions, { agent_id: agentId, ...PAGE }, caller())).data).toMatchObject([
      { session_id: 'talk', task_count: 1, feedback_score: null },
    ]);
    expect((await bus.call(api.listAgentSessionTasks, { ...path, ...PAGE }, caller())).pagination.total).toBe(1);
    expect((await bus.call(api.listAgentSessionTimeline, { ...path, ...PAGE }, caller())).pagination.total).toBe(10);
    expect((await refusal(bus.call(api.getAgentSessionFeedback, path, caller()))).status).toBe(404);
    const judged = await bus.call(api.setAgentSessionFeedback, { ...path, feedback_score: 4 }, caller());
    expect(judged).toMatchObject({ feedback_score: 4, feedback_text: null, key_id: 3 });
    expect(await bus.call(api.getAgentSessionFeedback, path, caller())).toEqual(judged);
    await bus.call(api.deleteAgentSessionFeedback, path, caller());
    expect((await refusal(bus.call(api.getAgentSessionFeedback, path, caller()))).status).toBe(404);
    expect(await bus.call(api.deleteAgentSession, path, caller())).toEqual({ id: 'talk', deleted: true });
    expect((await refusal(bus.call(api.getAgentSession, path, caller()))).status).toBe(404);
    const erased = await eventually('the messages are gone', async () => {
      const task = await company.task(agentId, task_id);
      return task.input_messages.length === 0 ? task : undefined;
    });
    expect(erased).toMatchObject({ status: 'COMPLETED', output: null, usage: { total_tokens: expect.any(Number) } });
    const stored = ['tasks', 'task_steps', 'task_timeline', 'task_events'].map(async (table) => {
      const texts = ['a private message', 'read: ', '{"ok": true}'].map(
        (text) => `strpos(to_jsonb(t)::text, '${text}') > 0`,
      );
      const id = table === 'tasks' ? 'id' : 'task_id';
      const { rows } = await outside.platform.sql.query(
        `SELECT * FROM agents.${table} t WHERE ${id} = $1 AND (${texts.join(' OR ')})`,
        [task_id],
      );
      return rows;
    });
    expect((await Promise.all(stored)).flat()).toEqual([]);
    await company.invoke(agentId, { session_id: 'talk' });
    expect(await bus.call(api.getAgentSession, path, caller())).toMatchObject({ task_count: 1 });
  });

  it('leaves neither its state nor the text of its feedback when it is deleted', async () => {
    const agentId = await company.agent();
    const path = { agent_id: agentId, session_id: 'talk' };
    const { bus, sql } = outside.platform;
    const api = agentSessions.endpoints;
    await company.invoke(agentId, { session_id: 'talk', state: { note: 'private' } });
    await bus.call(api.setAgentSessionFeedback, { ...path, feedback_text: 'private' }, company.world.caller());
    await bus.call(api.deleteAgentSession, path, company.world.caller());
    await eventually('both are gone', async () => {
      const { rowCount } = await sql.query(
        `SELECT 1 FROM agents.sessions t WHERE company_id = $1 AND strpos(to_jsonb(t)::text, 'private') > 0`,
        [company.world.companyId],
      );
      return rowCount === 0;
    });
  });
});
