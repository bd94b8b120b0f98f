import type { ExternalTask } from '@signalbox/contracts';
import { applicationOf } from '../../../src/otel/mapping/trace-tasks.js';
import { fixture, USER, ANSWER, TWO_CALLS_AND_A_TOOL, type Expected, SAID, typesOf } from './traces.js';

describe.each<[string, Expected]>([
  ['openinference', { service: 'shop-openinference', session: 's-1', ...SAID }],
  ['vercel-ai', { service: 'shop-vercel', session: 's-1', ...SAID }],
  ['vercel-ai-7', { service: 'shop', ...SAID }],
  ['vercel-ai-7-legacy', { service: 'shop', ...SAID }],
  ['traceloop', { service: 'shop-traceloop', session: 's-1', ...SAID }],
  ['semconv-official', { service: 'shop-semconv', session: 's-1', input: [], output: null }],
  ['semconv-old', { service: 'shop', agent: 'shop', ...SAID }],
])('a trace of %s', (name, { service, agent = 'order-agent', session = 't', input, output }) => {
  const { tree, tasks, requests } = fixture(name);
  const [task] = tasks as [ExternalTask];

  it('is one task of the agent that it names, with version, release and session', () => {
    expect(tasks).toHaveLength(1);
    expect(tree.hasRoot).toBe(true);
    expect(applicationOf(tree.roots[0]!.span)).toBe(service);
    expect(task).toMatchObject({ agent_name: agent, session_id: session, parent_task_id: null });
    expect([task.failure_class, task.iterations]).toEqual([null, 2]);
    if (name !== 'traceloop') expect(task).toMatchObject({ version: '1.4.0', release: 'production-eu' });
  });

  it('has what was asked and answered, as far as the emitter sends it', () => {
    expect(task.input_messages).toEqual(input);
    expect(task.output).toEqual(output);
  });

  it('has its calls of models and tools on the timeline', () => {
    const withoutTools = name === 'semconv-old';
    const expected = TWO_CALLS_AND_A_TOOL.filter((type) => !withoutTools || type.startsWith('model'));
    expect([...typesOf(task)].sort()).toEqual([...expected].sort());
    if (withoutTools) return;
    const [invoked, result] = ['action_invoked', 'action_result'].map((type) =>
      task.timeline.find((event) => event.type === type),
    );
    expect(invoked?.data.action_name).toBe('look_up');
    expect(JSON.stringify(invoked?.data.arguments)).toContain('"order":"7"');
    expect(result?.data).toMatchObject({ status: 'SUCCESS', output: { state: 'sent' } });
  });

  it('has two requests, whose money is that of the task', () => {
    expect(requests).toHaveLength(2);
    for (const request of requests)
      expect(request).toMatchObject({
        origin: 'EXTERNAL',
        origin_id: task.id,
        model: 'gpt-4o-mini',
        status: 'COMPLETED',
      });
    const sum = (of: 'prompt_tokens' | 'completion_tokens') =>
      requests.reduce((total, request) => total + (request[of] ?? 0), 0);
    expect(task.usage).toMatchObject({
      prompt_tokens: sum('prompt_tokens'),
      completion_tokens: sum('completion_tokens'),
      cost: 1,
    });
    expect(task.usage.total_tokens).toBeGreaterThan(20);
    if (output === null) return;
    const params = requests.map((request) => (JSON.parse(request.params) as { messages: object[] }).messages);
    expect(params[0]!.at(-1)).toEqual(USER);
    expect(params[1]!.at(-1)).toMatchObject({ role: 'tool', content: '{"state":"sent"}' });
    const id = params[1]!.at(-1) as { tool_call_id: string };
    expect(requests.map(({ response }) => JSON.parse(response ?? '').choices[0])).toMatchObject([
      {
        message: { tool_calls: [{ id: id.tool_call_id, function: { name: 'look_up', arguments: '{"order":"7"}' } }] },
        finish_reason: 'tool_calls',
      },
      { message: ANSWER, finish_reason: 'stop' },
    ]);
    if (name.startsWith('vercel-ai-7'))
      expect(params[0]![0]).toEqual({ role: 'system', content: 'You look orders up.' });
  });
});

describe('a trace of OpenAI Agents', () => {
  const { tasks, requests } = fixture('openai-agents');

  it('is a task for each agent, the one that took over below the one that handed over', () => {
    expect(tasks).toMatchObject([
      { agent_name: 'triage', parent_task_id: null, input_messages: [USER], output: ANSWER, iterations: 1 },
      { agent_name: 'courier', parent_task_id: tasks[0]!.id, output: ANSWER, iterations: 2 },
    ]);
    expect(tasks[1]!.input_messages[0]).toEqual(USER);
    expect(tasks[0]!.timeline.filter(({ type }) => type === 'sub_agent_invoked')).toMatchObject([
      { data: { child_task_id: tasks[1]!.id } },
    ]);
    expect(tasks[0]!.ended_at).toBeGreaterThanOrEqual(tasks[1]!.ended_at!);
    expect(requests.map(({ origin_id, model }) => [origin_id, model])).toEqual(
      [tasks[0]!, tasks[1]!, tasks[1]!].map(({ id }) => [id, 'gpt-4o-mini']),
    );
  });
});
