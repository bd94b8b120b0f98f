import { agentSessions } from '@signalbox/contracts';
import {
  type Ask,
  ask,
  asksOnce,
  call,
  company,
  field,
  lastOf,
  link,
  outside,
  parent,
  refusal,
  streamed,
  system,
} from './fixture.js';

describe('the state of a session', () => {
  it('begins with defaults and the input of the call, is shown to the model, and is written by it', async () => {
    await field(parent, 'city', { default_value: 'Rome' });
    await field(parent, 'name');
    outside.provider.answerWith((request) =>
      lastOf(request)?.role === 'tool' ? 'done' : ask('update_state', { name: 'Ann' }),
    );
    expect((await refusal(company.invoke(parent, { state: { nothing: 1 } }))).status).toBe(400);
    const reply = await company.invoke(parent, { session_id: 's', state: { city: 'Oslo' } });
    const session = await call(agentSessions.endpoints.getAgentSession, { agent_id: parent, session_id: 's' });
    expect(session).toMatchObject({ state: { city: 'Oslo', name: 'Ann' } });
    const [first, second] = outside.provider.calls.map(({ body }) => system(body as Ask));
    expect(first).toContain('"city":"Oslo"');
    expect(second).toContain('"name":"Ann"');
    const events = (await streamed(parent, reply.task_id)).filter(({ type }) => type === 'state.updated');
    expect(events.map(({ data }) => data['changes'])).toEqual([{ city: 'Oslo' }, { name: 'Ann' }]);
    await call(agentSessions.endpoints.updateAgentSessionState, {
      agent_id: parent,
      session_id: 's',
      state: { city: 'Bonn' },
    });
    const types = (await company.timeline(parent, reply.task_id)).data.map(({ type }) => type);
    expect(types.filter((type) => type === 'state_update')).toHaveLength(3);
  });

  it('refuses what does not fit, in words for the model', async () => {
    await field(parent, 'age', { field_type: 'number' });
    outside.provider.answerWith((request) =>
      lastOf(request)?.role === 'tool' ? String(lastOf(request)?.content) : ask('update_state', { age: 'old', x: 1 }),
    );
    const reply = await company.invoke(parent);
    expect(reply.choices![0]!.message.content).toContain('state.age must be a number');
  });

  it('is shared with sub-agents as far as its fields say', async () => {
    await field(parent, 'open');
    await field(parent, 'readable', { write_scope: 'self' });
    await field(parent, 'hidden', { read_scope: 'self', write_scope: 'self' });
    await link();
    const seen: string[] = [];
    asksOnce((request) => {
      seen.push(system(request));
      return lastOf(request)?.role === 'tool'
        ? String(lastOf(request)?.content)
        : ask('update_state', seen.length === 1 ? { readable: 'no' } : {});
    });
    const state = { open: 'a', readable: 'b', hidden: 'c' };
    const refused = await company.invoke(parent, { session_id: 't', state });
    expect(refused.choices![0]!.message.content).toContain('written by the agent itself only');
    expect(seen[0]).toContain('"readable":"b"');
    expect(seen[0]).not.toContain('hidden');
    asksOnce((request) => (lastOf(request)?.role === 'tool' ? 'ok' : ask('update_state', { open: 'z' })));
    await company.invoke(parent, { session_id: 't' });
    const session = await call(agentSessions.endpoints.getAgentSession, { agent_id: parent, session_id: 't' });
    expect(session).toMatchObject({ state: { ...state, open: 'z' } });
  });
});
