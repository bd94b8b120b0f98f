import { agents, routing } from '@signalbox/contracts';
import {
  type Ask,
  ask,
  call,
  child,
  company,
  lastOf,
  link,
  outside,
  parent,
  refusal,
  streamed,
  system,
} from './fixture.js';

describe('routing', () => {
  const rule = (change: object) =>
    call(routing.endpoints.createRoutingRule, {
      agent_id: parent,
      label: 'rule',
      enabled: true,
      conditions: [{ target_type: 'message', operator: 'contains', value: 'weather', enabled: true }],
      ...change,
    });
  const routeMode = () => call(agents.endpoints.updateAgent, { agent_id: parent, execution_mode: 'route' });

  it('sends a message to a sub-agent without asking a model', async () => {
    await link();
    await routeMode();
    await rule({ route: { type: 'agent', agent_id: child } });
    outside.provider.answerWith((request) => `child says ${String(lastOf(request)?.content)}`);
    const reply = await company.invoke(parent, { message: 'weather?' });
    expect(reply.choices![0]!.message.content).toBe('child says weather?');
    expect(outside.provider.calls).toHaveLength(1);
    const events = await streamed(parent, reply.task_id);
    expect(events[1]).toMatchObject({ type: 'routing.decided', data: { route: { type: 'agent', agent_id: child } } });
    const types = (await company.timeline(parent, reply.task_id)).data.map(({ type }) => type);
    expect(types).toContain('routing');
  });

  it('sends a message to an action, whose arguments the model fills in', async () => {
    const action = await company.action(parent, 'look up');
    await routeMode();
    await rule({ route: { type: 'action', action_id: action.id } });
    outside.target.answerWith(() => ({ body: '{"t":20}', headers: { 'content-type': 'application/json' } }));
    outside.provider.answerWith(() => ask('look_up', { id: '3' }));
    const reply = await company.invoke(parent, { message: 'weather?' });
    expect(reply.choices![0]!.message.content).toBe('{"t":20}');
    expect(outside.provider.calls).toHaveLength(1);
    expect(outside.target.calls[0]!.path).toBe('/items/3');
  });

  it('returns only what fits the response format, from any source', async () => {
    const action = await company.action(parent, 'look up');
    await routeMode();
    await rule({ route: { type: 'action', action_id: action.id } });
    const schema = { type: 'object', required: ['t'], properties: { t: { type: 'integer' } } };
    const response_format = { type: 'json_schema' as const, json_schema: { name: 'n', schema } };
    outside.provider.answerWith(() => ask('look_up', { id: '3' }));
    const answers = (body: string): Promise<unknown> => {
      outside.target.answerWith(() => ({ body, headers: { 'content-type': 'application/json' } }));
      return company.invoke(parent, { message: 'weather?', response_format });
    };
    expect(await answers('{"t":20}')).toMatchObject({ structured_output: { t: 20 } });
    for (const misfit of ['{"t":"warm"}', '"warm"', 'no JSON']) {
      const error = await refusal(answers(misfit));
      expect([error.status, error.extras.code]).toEqual([422, 'output_schema']);
    }
    // A model that answers in place of the action is asked again, like any other.
    const said = ['sunny', '{"t":"warm"}', '{"t":21}'];
    outside.provider.answerWith(() => said.shift() ?? '');
    expect(await answers('{"t":20}')).toMatchObject({ structured_output: { t: 21 } });
  });

  it.each([
    ['sandbox', 'egress_denied', 500, { endpoint: 'http://127.0.0.2:9/{id}' }, { id: '1' }],
    ['provider', 'provider_error', 502, {}, { id: '1' }],
    ['timeout', 'timeout', 504, { timeout_ms: 100 }, { id: 'slow' }],
    ['quality', null, 500, {}, {}],
  ])('passes on %s/%s of an action as %i', async (failure_class, error_code, status, config, given) => {
    await company.action(parent, 'look up', config);
    await routeMode();
    outside.provider.answerWith(() => ask('look_up', given));
    outside.target.answerWith(({ path }) => (path === '/items/slow' ? { hang: true } : { status: 503 }));
    const error = await refusal(company.invoke(parent));
    expect([error.status, error.extras.code ?? null]).toEqual([status, error_code]);
    const task = await company.task(parent, error.extras.headers?.['X-Service-Task-Id'] ?? '');
    expect(task).toMatchObject({ status: 'FAILED', failure_class, error_code });
  });

  it('lets a sub-agent repair an answer that does not fit the response format of its parent', async () => {
    await link();
    await routeMode();
    await rule({ route: { type: 'agent', agent_id: child } });
    const schema = { type: 'object', required: ['t'], properties: { t: { type: 'integer' } } };
    const response_format = { type: 'json_schema' as const, json_schema: { name: 'n', schema } };
    const said = ['sunny', '{"t":"warm"}', '{"t":21}'];
    outside.provider.answerWith(() => said.shift() ?? '');
    const reply = await company.invoke(parent, { message: 'weather?', response_format });
    expect(reply).toMatchObject({ structured_output: { t: 21 } });
    outside.provider.answerWith(() => 'sunny');
    const error = await refusal(company.invoke(parent, { message: 'weather?', response_format }));
    expect([error.status, error.extras.code]).toEqual([422, 'output_schema']);
  });

  it('lets a sub-agent that the model chooses answer in the response format of its parent', async () => {
    await link();
    await routeMode();
    const schema = { type: 'object', required: ['t'], properties: { t: { type: 'integer' } } };
    const response_format = { type: 'json_schema' as const, json_schema: { name: 'n', schema } };
    const said = ['sunny', '{"t":21}'];
    outside.provider.answerWith((request) =>
      system(request).startsWith('CHILD') ? (said.shift() ?? '') : ask('Weather_desk', { message: 'Rome' }),
    );
    const reply = await company.invoke(parent, { message: 'weather?', response_format });
    expect(reply).toMatchObject({ structured_output: { t: 21 } });
    expect(outside.provider.calls).toHaveLength(3);
  });

  it('lets exactly one capability answer when the model chooses', async () => {
    await company.action(parent, 'look up');
    await routeMode();
    outside.provider.answerWith(() => ({
      toolCalls: [
        { name: 'look_up', arguments: { id: '1' } },
        { name: 'look_up', arguments: { id: '2' } },
      ],
    }));
    const reply = await company.invoke(parent);
    expect(reply.choices![0]!.message.content).toBe('{"ok":true}');
    expect([outside.provider.calls.length, outside.target.calls.length]).toEqual([1, 1]);
  });

  it('answers nothing on the route none', async () => {
    await routeMode();
    await call(routing.endpoints.updateRouting, { agent_id: parent, default: { type: 'none' } });
    const reply = await company.invoke(parent);
    expect(reply.choices![0]!.message.content).toBe('');
    expect(outside.provider.calls).toHaveLength(0);
  });

  it('fails clearly when its action is disabled', async () => {
    const action = await company.action(parent, 'look up', {}, { enabled: false });
    await rule({ route: { type: 'action', action_id: action.id } });
    const error = await refusal(company.invoke(parent, { message: 'weather' }));
    expect([error.status, error.extras.code]).toEqual([422, 'invalid_config']);
  });
});

it('asks each kind of step with its own model and prompt', async () => {
  const steps = { orchestrate: { prompt: 'CHOOSE' }, process: { prompt: 'READ' }, respond: { prompt: 'SAY' } };
  const agent_config = { steps, temperature: 0.3, max_tokens: 77 };
  await call(agents.endpoints.updateAgent, { agent_id: parent, agent_config });
  await company.action(parent, 'look up');
  let n = 0;
  outside.provider.answerWith(() => [ask('look_up', { id: '1' }), 'not json', '{}'][n++] ?? '{}');
  await company.invoke(parent, { response_format: { type: 'json_object' } });
  const bodies = outside.provider.calls.map(({ body }) => body as Ask & { temperature: number; max_tokens: number });
  expect(bodies.map((body) => /CHOOSE|READ|SAY/.exec(system(body))?.[0])).toEqual(['CHOOSE', 'READ', 'SAY']);
  expect(bodies[0]).toMatchObject({ temperature: 0.3, max_tokens: 77 });
});
