import { readFileSync } from 'node:fs';
import type { ExternalTask, Usage } from '@signalbox/contracts';
import { tokensIn } from '../../src/otel/mapping/attributes.js';
import { requestOf } from '../../src/otel/mapping/trace-records.js';
import { countedCalls } from '../../src/otel/mapping/trace-requests.js';
import { applicationOf, slugOf, tasksOf } from '../../src/otel/mapping/trace-tasks.js';
import { type SpanNode, treeOf } from '../../src/otel/mapping/trace-tree.js';
import { bounded } from '../../src/otel/otlp/bounded.js';
import { readSpans } from '../../src/otel/otlp/read-export.js';
import type { Span } from '../../src/otel/otlp/span.js';

const RECORDED = Date.parse('2026-11-24T16:00:00Z');

/** What traces become, as far as a price is no part of it. */
function mapped(spans: Span[], counted: string[] = [], unpriced: string[] = []) {
  const tree = treeOf(spans, null);
  const calls = new Map<SpanNode, Usage>(
    countedCalls(tree, new Set(counted)).map((node) => {
      const prompt_tokens = tokensIn(node.span, 'prompt_tokens');
      const completion_tokens = tokensIn(node.span, 'completion_tokens');
      const cost = unpriced.includes(node.span.span_id) ? null : 0.5;
      return [node, { prompt_tokens, completion_tokens, total_tokens: prompt_tokens + completion_tokens, cost }];
    }),
  );
  const { tasks, taskOf } = tasksOf({ companyId: 1, traceId: 't', tree, evaluations: [], calls });
  const requests = [...calls].map(([node, usage]) =>
    requestOf(node.span, usage, {
      companyId: 1,
      applicationId: 2,
      agentId: 3,
      task: taskOf(node) as ExternalTask,
      isTest: false,
    }),
  );
  return { tree, tasks, requests };
}

function fixture(name: string) {
  const body = readFileSync(new URL(`../../../test/otel/fixtures/${name}.json`, import.meta.url));
  const ends = [...body.toString().matchAll(/"endTimeUnixNano": "(\d+)"/g)].map(([, end]) => Number(end) / 1e6);
  const { read, rejected } = readSpans(body, 'application/json', Math.max(...ends));
  expect(rejected).toEqual([]);
  return mapped(read);
}

const USER = { role: 'user', content: 'Where is order 7?' };
const ANSWER = { role: 'assistant', content: 'Order 7 is on its way.' };
const typesOf = ({ timeline }: ExternalTask): string[] => timeline.map(({ type }) => type);
const TWO_CALLS_AND_A_TOOL = [
  'model_called',
  'model_answered',
  'action_invoked',
  'action_result',
  'model_called',
  'model_answered',
];

interface Expected {
  service: string;
  agent?: string;
  session?: string;
  input: object[];
  output: object | null;
}

const SAID = { input: [USER], output: ANSWER };

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

let serial = 0;
const span = (more: Partial<Span>): Span => ({
  trace_id: 't',
  span_id: `s${++serial}`,
  parent_id: null,
  is_remote: false,
  name: 'work',
  kind: 1,
  start_ms: RECORDED + serial,
  end_ms: RECORDED + serial + 1,
  error: null,
  attributes: {},
  events: [],
  resource: { 'service.name': 'shop' },
  scope: '',
  ...more,
});
const chat = (more: Partial<Span>): Span =>
  span({ attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.usage.input_tokens': 5 }, ...more });

describe('evaluations in events of spans', () => {
  it('are feedback: the newest score from 1 to 5, and what each says', () => {
    const evaluation = (time: number, more: object) => ({
      name: 'gen_ai.evaluation.result',
      time_ms: RECORDED + time,
      attributes: { 'gen_ai.evaluation.name': 'tone', ...more },
    });
    const events = [
      evaluation(2, { 'gen_ai.evaluation.score.value': 4, 'gen_ai.evaluation.score.label': 'good' }),
      evaluation(1, { 'gen_ai.evaluation.score.value': 2, 'gen_ai.evaluation.explanation': 'curt' }),
      evaluation(3, { 'gen_ai.evaluation.score.value': 0.5 }),
    ];
    expect(mapped([span({ events })]).tasks).toMatchObject([
      { feedback: { score: 4, text: 'tone. curt\ntone: good\ntone' } },
    ]);
  });
});

describe('an agent', () => {
  const agent = (name: string | null, more: Partial<Span> = {}, attributes: Span['attributes'] = {}): Span =>
    span({
      ...more,
      attributes: {
        'openinference.span.kind': 'AGENT',
        ...(name === null ? {} : { 'graph.node.id': name }),
        ...attributes,
      },
    });

  it('without a name around one with a name is a step', () => {
    const root = agent(null);
    expect(mapped([root, agent('desk', { parent_id: root.span_id })]).tasks).toMatchObject([{ agent_name: 'desk' }]);
    expect(mapped([agent(null)]).tasks).toMatchObject([{ agent_name: 'shop' }]);
  });

  it('that hands over there and back is a task each time', () => {
    const root = agent(null);
    const below = { parent_id: root.span_id };
    const { tasks } = mapped([
      root,
      agent('a', below),
      agent('b', below, { 'graph.node.parent_id': 'a' }),
      agent('a', below, { 'graph.node.parent_id': 'b' }),
    ]);
    expect(tasks.map(({ agent_name }) => agent_name)).toEqual(['a', 'b', 'a']);
    expect(tasks.map(({ parent_task_id }) => parent_task_id)).toEqual([null, tasks[0]!.id, tasks[1]!.id]);
  });

  it('whose callers go in a circle is a task all the same', () => {
    const at = (more: Partial<Span>) => ({ start_ms: RECORDED, end_ms: RECORDED + 1, ...more });
    const first = agent('a', at({ span_id: 'first', parent_id: 'fourth' }));
    const second = agent('b', at({ span_id: 'second' }), { 'graph.node.parent_id': 'a' });
    const third = agent('c', at({ span_id: 'third', parent_id: 'second', start_ms: RECORDED + 1 }));
    const fourth = agent('d', at({ span_id: 'fourth', start_ms: RECORDED + 2 }), { 'graph.node.parent_id': 'c' });
    expect(mapped([first, second, third, fourth]).tasks).toHaveLength(5 - 1);
  });
});

describe('money', () => {
  it('is counted once when instrumentations of two libraries describe one call', () => {
    const root = span({});
    const outer = chat({ parent_id: root.span_id });
    const inner = chat({ parent_id: outer.span_id });
    const { tasks, requests } = mapped([root, outer, inner]);
    expect(requests).toHaveLength(1);
    expect(tasks[0]!.usage.prompt_tokens).toBe(5);
    const called = tasks[0]!.timeline.filter(({ type }) => type === 'model_called');
    expect(called.map(({ data }) => data.request_id !== null)).toEqual([false, true]);
  });

  it('of a task is not known when that of one of its calls is not', () => {
    const [known, unknown] = [chat({}), chat({})];
    const costOf = (spans: Span[]) => mapped(spans, [], [unknown.span_id]).tasks[0]!.usage.cost;
    expect([costOf([known]), costOf([known, unknown]), costOf([unknown])]).toEqual([0.5, null, null]);
  });

  it('of a call that was counted is not counted again for a late span below it', () => {
    const outer = chat({});
    const inner = chat({ parent_id: outer.span_id });
    expect(mapped([outer, inner], [outer.span_id]).requests).toHaveLength(1);
    expect(mapped([outer, inner], [outer.span_id]).requests[0]!.metadata).toContain(outer.span_id);
  });
});

describe('a hostile trace', () => {
  it('whose parents go in a circle is a trace all the same', () => {
    const a = chat({ span_id: 'a', parent_id: 'b' });
    const b = chat({ span_id: 'b', parent_id: 'a' });
    const self = span({ span_id: 'c', parent_id: 'c' });
    const { tasks } = mapped([a, b, self]);
    expect(tasks).toHaveLength(1);
  });

  it('with values of the wrong types has none of them', () => {
    const odd = chat({
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': { a: 1 },
        'gen_ai.usage.input_tokens': -5,
        'gen_ai.usage.output_tokens': 'many',
        'gen_ai.usage.cost': '1e999',
        'gen_ai.input.messages': '[[1], 5, {"role": 7, "parts": 3}]',
        'gen_ai.prompt.999999999.role': 'user',
        'llm.input_messages.0.message.__proto__.polluted': true,
      },
    });
    const { requests } = mapped([odd]);
    expect(requests).toMatchObject([{ model: 'unknown', prompt_tokens: 0, completion_tokens: 0 }]);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('with tools of many short texts and numbers fits into one message', () => {
    const root = span({});
    const list = Array.from({ length: 9500 }, (_, at) => (at % 2 === 0 ? `v${at}` : at));
    const tools = Array.from({ length: 150 }, () =>
      span({
        parent_id: root.span_id,
        error: 'x'.repeat(4000),
        attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.call.arguments': { list } as never },
      }),
    );
    const timelineOf = (count: number) => mapped([root, ...tools.slice(0, count)]).tasks[0]!.timeline;
    const whole = timelineOf(10);
    expect(whole[0]!.data.arguments).toEqual({ list });
    const cut = timelineOf(150);
    expect(cut).toHaveLength(300);
    expect(cut[0]!.data.arguments).toMatch(/^\{"list":\["v0",1,.* \[cut: \d+ bytes\]$/);
    expect(JSON.stringify(cut).length).toBeLessThan(8 * 1_048_576);
  });

  it('with messages of tens of thousands of calls of tools has their texts', () => {
    const calls = Array.from({ length: 40_000 }, () => ({ type: 'tool_call', name: 'a' }));
    const parts = [{ type: 'text', content: 'Hello' }, ...calls];
    const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': [{ role: 'user', parts }] as never };
    expect(mapped([chat({ attributes })]).tasks[0]!.input_messages).toEqual([{ role: 'user', content: 'Hello' }]);
  });

  it('with 2,000 large tools fits into one message', () => {
    const root = span({});
    const tools = Array.from({ length: 2000 }, () =>
      span({
        parent_id: root.span_id,
        attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.call.result': 'x'.repeat(20_000) },
      }),
    );
    const { tasks } = mapped([root, ...tools]);
    expect(JSON.stringify(tasks).length).toBeLessThan(9_500_000);
    expect(tasks[0]!.timeline).toHaveLength(4000);
  });
});

describe('a call of a tool', () => {
  it('and its result have a step, which no other call has', () => {
    const tool = { attributes: { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'look_up' } };
    const root = span({});
    const during = { parent_id: root.span_id, end_ms: root.start_ms + 100 };
    const { timeline } = mapped([root, ...[1, 2].map(() => span({ ...during, ...tool })), chat(during)]).tasks[0]!;
    const steps = timeline.map(({ type, data }) => [type, data.step]);
    expect(steps).toEqual([
      ['action_invoked', 1],
      ['action_invoked', 2],
      ['model_called', 3],
      ['action_result', 1],
      ['action_result', 2],
      ['model_answered', 3],
    ]);
  });
});

it('JSON that is nested deeper than it can be written again stays a text', () => {
  const result = '['.repeat(20_000) + ']'.repeat(20_000);
  const attributes = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.call.result': result };
  const { timeline } = mapped([span({ attributes })]).tasks[0]!;
  expect(timeline[1]!.data.output === result).toBe(true);
});

describe('a tool of OpenInference', () => {
  it('has the arguments of its call, and not their schema', () => {
    const attributes = {
      'openinference.span.kind': 'TOOL',
      'tool.name': 'look_up',
      'tool.parameters': '{"order":{"type":"string"}}',
      'input.value': '{"order":"7"}',
    };
    const { timeline } = mapped([span({ attributes })]).tasks[0]!;
    expect(timeline[0]!.data.arguments).toEqual({ order: '7' });
  });
});

describe('the results of parallel calls of tools in one message', () => {
  it.each<[string, string, (id: string) => object]>([
    [
      'ai.prompt.messages',
      'content',
      (id) => ({ type: 'tool-result', toolCallId: id, output: { type: 'text', value: id } }),
    ],
    ['gen_ai.input.messages', 'parts', (id) => ({ type: 'tool_call_response', id, response: id })],
  ])('of %s are one message each', (attribute, field, result) => {
    const messages = [{ role: 'tool', [field]: [result('a'), result('b')] }];
    const attributes = { 'gen_ai.operation.name': 'chat', [attribute]: JSON.stringify(messages) };
    const { requests } = mapped([chat({ attributes })]);
    expect(JSON.parse(requests[0]!.params)).toMatchObject({
      messages: [
        { role: 'tool', tool_call_id: 'a', content: 'a' },
        { role: 'tool', tool_call_id: 'b', content: 'b' },
      ],
    });
  });
});

describe('a call with more than 200 messages', () => {
  it('has the newest of them', () => {
    const parts = (at: number) => [{ type: 'text', content: `m${at}` }];
    const messages = Array.from({ length: 250 }, (_, at) => ({ role: 'user', parts: parts(at) }));
    const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.input.messages': JSON.stringify(messages) };
    const { requests } = mapped([chat({ attributes })]);
    const kept = (JSON.parse(requests[0]!.params) as { messages: { content: string }[] }).messages;
    expect([kept.length, kept[0]?.content, kept.at(-1)?.content]).toEqual([200, 'm50', 'm249']);
  });
});

/** The messages of a call with these attributes. */
function messagesWith(attributes: object, more: Partial<Span> = {}) {
  const [request] = mapped([
    chat({ attributes: { 'gen_ai.operation.name': 'chat', ...attributes }, ...more }),
  ]).requests;
  const { messages } = JSON.parse(request!.params) as { messages: { role: string; content: string }[] };
  const { message } = (JSON.parse(request!.response ?? '') as { choices: [{ message: object }] }).choices[0];
  return { messages, message };
}

describe('a call larger than 1 MiB', () => {
  const LONG = 'x'.repeat(2_000_000);
  const messagesOf = (attributes: object, more: Partial<Span> = {}) => {
    const { value, json } = bounded(chat({ attributes: attributes as Span['attributes'], ...more }));
    expect(Buffer.byteLength(json)).toBeLessThanOrEqual(1_048_576);
    return messagesWith(value.attributes, { events: value.events });
  };
  const text = (content: string) => ({ type: 'text', content });

  it('has its messages, whose long texts are cut', () => {
    const { messages, message } = messagesOf({
      'gen_ai.system_instructions': JSON.stringify([text('You look orders up.')]),
      'gen_ai.input.messages': JSON.stringify([
        { role: 'user', parts: [text(LONG)] },
        { role: 'user', parts: [text('Where is order 7?')] },
      ]),
      'gen_ai.output.messages': JSON.stringify([{ role: 'assistant', parts: [text('Here.')] }]),
      'llm.invocation_parameters': LONG,
    });
    expect(messages).toMatchObject([
      { role: 'system', content: 'You look orders up.' },
      { role: 'user', content: expect.stringMatching(/^x+ \[cut: \d+ bytes\]$/) as string },
      { role: 'user', content: 'Where is order 7?' },
    ]);
    expect(message).toMatchObject({ content: 'Here.' });
  });

  it('has them also where they are messages of the Vercel AI SDK or in events', () => {
    const asked = [
      { role: 'user', content: LONG },
      { role: 'user', content: 'Where is order 7?' },
    ];
    const event = (content: object) => ({
      name: 'gen_ai.user.message',
      time_ms: RECORDED,
      attributes: { 'gen_ai.event.content': JSON.stringify(content) },
    });
    for (const { messages } of [
      messagesOf({ 'ai.prompt.messages': JSON.stringify(asked) }),
      messagesOf({}, { events: asked.map(event) }),
    ])
      expect(messages.map(({ role, content }) => [role, content.slice(0, 17)])).toEqual([
        ['user', 'x'.repeat(17)],
        ['user', 'Where is order 7?'],
      ]);
  });

  it.each([
    ['that is not JSON', `[${LONG}`],
    ['of too many values', `[${'[],'.repeat(600_000)}[]]`],
    ['of values nested too deep', '['.repeat(200_000) + ']'.repeat(200_000) + ' '.repeat(1_000_000)],
  ])('is cut like any other text %s', (_, value) => {
    const { value: kept } = bounded(chat({ attributes: { value } }));
    expect(kept.attributes.value).toMatch(/ \[cut: \d+ bytes\]$/);
  });
});

describe('an image, sound or file in a message', () => {
  const BYTES = 90_000;
  const BASE64 = Buffer.alloc(BYTES, 7).toString('base64');
  const DATA_URL = `data:image/png;base64,${BASE64}`;
  const QUESTION = 'What is that?';
  const conventional = (...parts: object[]) => ({
    'gen_ai.input.messages': JSON.stringify([{ role: 'user', parts: [...parts, { type: 'text', content: QUESTION }] }]),
  });
  const vercel = (part: object) => ({
    'ai.prompt.messages': JSON.stringify([{ role: 'user', content: [part, { type: 'text', text: QUESTION }] }]),
  });
  const traceloop = (part: object) => ({
    'gen_ai.prompt.0.role': 'user',
    'gen_ai.prompt.0.content': JSON.stringify([part, { type: 'text', text: QUESTION }]),
  });
  const openInference = (type: string, name: string, value: string) => ({
    'llm.input_messages.0.message.role': 'user',
    'llm.input_messages.0.message.contents.0.message_content.type': type,
    [`llm.input_messages.0.message.contents.0.message_content.${name}`]: value,
    'llm.input_messages.0.message.contents.1.message_content.type': 'text',
    'llm.input_messages.0.message.contents.1.message_content.text': QUESTION,
  });
  const blob = { type: 'blob', modality: 'image', mime_type: 'image/png', content: BASE64 };
  const SHOWN = `[image image/png, ${BYTES} bytes]`;

  it.each<[string, object, string]>([
    ['a blob', conventional(blob), SHOWN],
    ['an address', conventional({ type: 'uri', modality: 'video', uri: 'gs://a/b.mp4' }), '[video: gs://a/b.mp4]'],
    ['a file', conventional({ type: 'file', file_id: 'file-7' }), '[file: file-7]'],
    ['an image of the Vercel AI SDK', vercel({ type: 'image', image: BASE64, mediaType: 'image/png' }), SHOWN],
    ['its bytes', vercel({ type: 'image', image: { 0: 1, 1: 2, 2: 3 } }), '[image, 3 bytes]'],
    [
      'a file of it',
      vercel({ type: 'file', data: 'https://a/b.pdf', mediaType: 'application/pdf' }),
      '[file application/pdf: https://a/b.pdf]',
    ],
    ['an image of OpenInference', openInference('image', 'image.image.url', DATA_URL), SHOWN],
    ['its address', openInference('image', 'image.image.url', 'https://a/b.png'), '[image: https://a/b.png]'],
    ['an image of OpenAI', vercel({ type: 'image_url', image_url: { url: DATA_URL } }), SHOWN],
    [
      'sound of OpenAI',
      vercel({ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }),
      '[audio wav, 3 bytes]',
    ],
    [
      'an image of Anthropic',
      vercel({ type: 'image', source: { type: 'base64', media_type: 'image/png', data: BASE64 } }),
      SHOWN,
    ],
  ])('is shown by its type before what follows it: %s', (_, attributes, shown) => {
    expect(messagesWith(attributes).messages).toMatchObject([{ role: 'user', content: `${shown}\n${QUESTION}` }]);
  });

  it('is shown by its type within other texts too', () => {
    const attributes = traceloop({ type: 'image_url', image_url: { url: DATA_URL } });
    const { content } = messagesWith(attributes).messages[0]!;
    expect(content).toContain(`"url":"[image/png, ${BYTES} bytes]"`);
    expect(content).toContain(QUESTION);
  });

  it('has the size that it had before its span was cut', () => {
    const large = { ...blob, content: Buffer.alloc(1_500_000, 7).toString('base64') };
    const { value } = bounded(chat({ attributes: conventional(large) }));
    expect(messagesWith(value.attributes).messages[0]!.content).toBe(`[image image/png, 1500000 bytes]\n${QUESTION}`);
  });

  it('is a text where a document is one', () => {
    const document = { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'Terms' } };
    expect(messagesWith(vercel(document)).messages[0]!.content).toContain('Terms');
  });
});

describe('messages in an event of the span', () => {
  it('are those of the call, also when question and answer are an event each', () => {
    const event = (name: string, role: string, content: string) => ({
      name: 'gen_ai.client.inference.operation.details',
      time_ms: RECORDED,
      attributes: { [name]: JSON.stringify([{ role, parts: [{ type: 'text', content }] }]) },
    });
    const events = [
      event('gen_ai.input.messages', 'user', USER.content),
      event('gen_ai.output.messages', 'assistant', ANSWER.content),
    ];
    expect(messagesWith({}, { events })).toEqual({ messages: [USER], message: ANSWER });
  });
});

describe('an answer of the Responses API by OpenInference', () => {
  it('has all parallel calls of tools, which are messages of their own there', () => {
    const call = (at: number) => ({
      [`llm.output_messages.${at}.message.role`]: 'assistant',
      [`llm.output_messages.${at}.message.tool_calls.0.tool_call.id`]: `call-${at}`,
      [`llm.output_messages.${at}.message.tool_calls.0.tool_call.function.name`]: 'look_up',
      [`llm.output_messages.${at}.message.tool_calls.0.tool_call.function.arguments`]: '{}',
    });
    const text = {
      'llm.output_messages.0.message.role': 'assistant',
      'llm.output_messages.0.message.contents.0.message_content.type': 'text',
      'llm.output_messages.0.message.contents.0.message_content.text': 'One moment.',
    };
    const { message } = messagesWith({ ...text, ...call(1), ...call(2) });
    expect(message).toMatchObject({ content: 'One moment.', tool_calls: [{ id: 'call-1' }, { id: 'call-2' }] });
  });
});

describe('a failed span', () => {
  it.each([
    ['timeout', { error: '', attributes: { 'error.type': 'TimeoutError' } }],
    ['internal', { error: 'broke' }],
  ])('is a failed task of class %s', (failure_class, more) => {
    expect(mapped([span(more)]).tasks).toMatchObject([{ failure_class }]);
  });
});

describe('the name of an environment', () => {
  it.each([
    ['Production EU', 'production-eu'],
    ['--x', 'x'],
    ['', null],
    ['日本', null],
  ])('%j is the release %j', (text, slug) => expect(slugOf(text)).toBe(slug));
});
