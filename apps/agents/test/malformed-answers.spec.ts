import { agentSessions, formFields } from '@signalbox/contracts';
import { refusal } from './task-world.js';
import { company, outside } from './tasks/fixture.js';

interface SentMessage {
  tool_calls?: { id: string }[];
  tool_call_id?: string;
}

describe('an answer of a model or a target', () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  /** With characters that the database does not take. */
  const odd = String.raw`{"id":"7\u0000\ud83d"}`;
  const raw = (message: object) => {
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const choices = [{ index: 0, message: { role: 'assistant', content: null, ...message } }];
    const body = JSON.stringify({ id: 'x', choices, usage });
    return { raw: { status: 200, headers: { 'content-type': 'application/json' }, body } };
  };
  /** A model that makes these calls and then answers with their results. */
  const callOnce = (...tool_calls: object[]): void =>
    outside.provider.answerWith(({ messages }) => {
      const results = messages.flatMap(({ role, content }) => (role === 'tool' ? [String(content)] : []));
      return results.length > 0 ? results.join(' | ').slice(0, 2000) : raw({ tool_calls });
    });
  const call = (name: string, text: string, id = 'a') => ({
    id,
    type: 'function',
    function: { name, arguments: text },
  });

  it('stays text when it is JSON of many thousand levels', async () => {
    const agentId = await company.agent();
    outside.target.answerWith(() => ({ body: deep }));
    const reply = await company.invoke(agentId);
    expect(reply.choices![0]!.message.content).toBe(`read: ${deep}`);
    expect(outside.target.calls).toHaveLength(1);
    const { data } = await company.timeline(agentId, reply.task_id);
    expect(data.find(({ type }) => type === 'action_result')?.output).toBe(deep);
  });

  it('is refused and shown as text when arguments have many thousand levels', async () => {
    callOnce(call('look_up', `{"id":${deep}}`));
    const agentId = await company.agent();
    const reply = await company.invoke(agentId);
    expect(reply.choices![0]!.message.content).toContain('nested more than 1000 deep');
    expect(outside.provider.calls).toHaveLength(2);
    const { data } = await company.timeline(agentId, reply.task_id);
    expect(data.find(({ type }) => type === 'action_invoked')?.arguments).toBe(`{"id":${deep}}`);
  });

  it('is sent back in a form that models take, whatever calls it has', async () => {
    callOnce(...Array.from({ length: 130 }, () => call('x'.repeat(300), '{}', '')));
    const reply = await company.invoke(await company.agent());
    expect(reply.choices![0]!.message.content).toContain('there is no action xxx');
    const { messages: sent } = outside.provider.calls[1]!.body as { messages: SentMessage[] };
    const ids = sent.flatMap(({ tool_calls: asked = [] }) => asked.map(({ id }) => id));
    expect(ids).toHaveLength(128);
    expect(new Set(ids).size).toBe(128);
    expect(sent.flatMap(({ tool_call_id: id }) => id ?? [])).toEqual(ids);
  });

  it('is asked for again when it is no answer at all', async () => {
    outside.provider.answerWith(() => raw({ refusal: 'I cannot' }));
    const response_format = { type: 'json_object' as const };
    const error = await refusal(company.invoke(await company.agent(), { response_format }));
    expect([error.status, error.extras.code]).toEqual([422, 'output_schema']);
    expect(outside.provider.calls).toHaveLength(3);
  });

  it('is stored without the characters that the database does not take, as arguments', async () => {
    callOnce(call('look_up', odd));
    const agentId = await company.agent();
    const { task_id } = await company.invoke(agentId);
    const { data } = await company.timeline(agentId, task_id);
    expect(data.find(({ type }) => type === 'action_invoked')?.arguments).toEqual({ id: '7\ufffd' });
    expect(outside.provider.calls).toHaveLength(2);
  });

  it('is stored without the characters that the database does not take, as JSON', async () => {
    outside.provider.answerWith(() => odd);
    const reply = await company.invoke(await company.agent(), { response_format: { type: 'json_object' } });
    expect(reply.structured_output).toEqual({ id: '7\ufffd' });
    expect(outside.provider.calls).toHaveLength(1);
  });

  it('ends a task with its error, whatever characters that has', async () => {
    outside.provider.answerWith(() => ({ error: { status: 400, message: 'no \0 and \ud83d' } }));
    const error = await refusal(company.invoke(await company.agent()));
    expect(error.status).toBe(502);
    expect(error.message).toContain('no  and \ufffd');
    expect(outside.provider.calls).toHaveLength(1);
  });

  it('is no state of a session when it is too large or too deep, and the model is told', async () => {
    const { id: agent_id } = await company.world.agent({ model: 'm' });
    const scopes = { required: false, read_scope: 'all', write_scope: 'all' } as const;
    for (const [field_key, field_type] of [
      ['notes', 'string'],
      ['list', 'array'],
    ] as const) {
      const input = { agent_id, field_key, label: field_key, field_type, ...scopes };
      await outside.platform.bus.call(formFields.endpoints.createFormField, input, company.world.caller());
    }
    callOnce(
      call('update_state', JSON.stringify({ list: ['x'.repeat(10_000)] }), 'large'),
      call('update_state', `{"list":${'['.repeat(30)}${']'.repeat(30)}}`, 'deep'),
      call('update_state', String.raw`{"x\u0000":1}`, 'odd'),
      call('update_state', '{"list":[1]}', 'good'),
    );
    const notes = 'x'.repeat(60_000);
    const reply = await company.invoke(agent_id, { state: { notes }, session_id: 'full' });
    const [large, nested, unknown, good] = reply.choices![0]!.message.content!.toString().split(' | ');
    expect(large).toContain('larger than 64 KiB');
    expect(nested).toContain('nested more than 20 deep');
    expect(unknown).toContain('state.x is not a form field');
    expect(good).toContain('SUCCESS');
    const path = { agent_id, session_id: 'full' };
    const { state } = await outside.platform.bus.call(
      agentSessions.endpoints.getAgentSession,
      path,
      company.world.caller(),
    );
    expect(state).toEqual({ notes, list: [1] });
  });
});
