import { eventually } from '@signalbox/testing';
import { refusal } from '../task-world.js';
import { company, outside } from './fixture.js';

describe('an invocation without an answer', () => {
  it('is 422 when the iterations are used up', async () => {
    outside.provider.answerWith(() => ({ toolCalls: [{ name: 'look_up', arguments: { id: '1' } }] }));
    const agentId = await company.agent();
    const error = await refusal(company.invoke(agentId, { max_iterations: 2 }));
    expect([error.status, error.extras.code]).toEqual([422, 'max_iterations']);
    expect(outside.provider.calls).toHaveLength(2);
  });

  it('is 422 when it has cost more than allowed', async () => {
    const agentId = await company.agent();
    const error = await refusal(company.invoke(agentId, { max_cost: 0.000_000_1 }));
    expect([error.status, error.extras.code]).toEqual([422, 'budget_exceeded']);
  });

  it('is 502 when the provider is down', async () => {
    outside.provider.answerWith(() => ({ error: { status: 500 } }));
    const agentId = await company.agent();
    const error = await refusal(company.invoke(agentId));
    expect(error.status).toBe(502);
    const task = await company.row(error.extras.headers!['X-Service-Task-Id']!);
    expect(task).toMatchObject({ status: 'FAILED', failure_class: 'provider', error_code: 'provider_error' });
  });

  it('is 409 for a disabled agent, 404 for an unknown agent, version or release', async () => {
    const agentId = await company.agent({ status: 'DISABLED' });
    expect((await refusal(company.invoke(agentId))).status).toBe(409);
    expect((await refusal(company.invoke(agentId, { version: '9.9.9' }))).status).toBe(404);
    expect((await refusal(company.invoke(agentId, { release: 'nope' }))).status).toBe(404);
    expect((await refusal(company.invoke(99_999))).message).toBe('agent not found');
    const other = await outside.company();
    expect((await refusal(other.invoke(agentId))).message).toBe('agent not found');
  });

  it('says which action the model made up', async () => {
    outside.provider.answerWith(({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? String(messages.at(-1)!.content)
        : { toolCalls: [{ name: 'invented', arguments: {} }] },
    );
    const reply = await company.invoke(await company.agent());
    expect(reply.choices![0]!.message.content).toContain('there is no action invented');
  });
});

describe('a structured answer', () => {
  const format = {
    type: 'json_schema' as const,
    json_schema: { name: 'n', schema: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } } },
  };

  it('is asked for again until it fits', async () => {
    const answers = ['no', '{"a":"x"}', '{"a":1}'];
    const first = outside.provider.calls.length;
    const agentId = await company.agent();
    outside.provider.answerWith(() => answers[outside.provider.calls.length - first - 1] ?? '');
    const reply = await company.invoke(agentId, { response_format: format, max_iterations: 1 });
    expect(reply).toMatchObject({ structured_output: { a: 1 }, choices: [{ message: { content: '{"a":1}' } }] });
    expect(JSON.stringify(outside.bodies()[2]!.messages)).toContain('must be integer');
  });

  it('is 422 after the third misfit', async () => {
    outside.provider.answerWith(() => '{"a":"x"}');
    const error = await refusal(company.invoke(await company.agent(), { response_format: format }));
    expect([error.status, error.extras.code]).toEqual([422, 'output_schema']);
    expect(outside.provider.calls).toHaveLength(3);
  });

  it('is refused before anything starts when its schema is not valid', async () => {
    const agentId = await company.agent();
    const ask = (schema: Record<string, unknown>) =>
      refusal(
        company.invoke(agentId, { response_format: { type: 'json_schema', json_schema: { name: 'n', schema } } }),
      );
    expect((await ask({ type: 'nonsense' })).status).toBe(422);
    expect((await ask({ $ref: 'https://example.com/x.json' })).status).toBe(422);
    expect(outside.provider.calls).toHaveLength(0);
  });
});

describe('a pattern that takes long to match', () => {
  it('keeps a thread busy while the service answers', async () => {
    outside.provider.answerWith(() => JSON.stringify(`${'a'.repeat(40)}!`));
    const agentId = await company.agent();
    // RE2 has no look-ahead, so this one is matched by going back.
    const schema = { type: 'string', pattern: '^(?=(a+)+$)b' };
    const burning = refusal(
      company.invoke(agentId, { response_format: { type: 'json_schema', json_schema: { name: 'n', schema } } }),
    );
    await eventually('the model is called', () => outside.provider.calls.length > 0);
    let over = false;
    void burning.then(() => (over = true));
    await company.task(
      agentId,
      (await outside.platform.sql.query('SELECT id FROM agents.tasks WHERE agent_id = $1', [agentId])).rows[0]
        .id as string,
    );
    // The service answered while the pattern was still burning: the same thread would have answered afterwards.
    expect(over).toBe(false);
    expect(await burning).toMatchObject({
      status: 422,
      message: 'the answer does not fit the response format: it takes too long to check against the schema',
      extras: { code: 'output_schema' },
    });
    // Another answer would be checked against the same schema.
    expect(outside.provider.calls).toHaveLength(1);
  });
});
