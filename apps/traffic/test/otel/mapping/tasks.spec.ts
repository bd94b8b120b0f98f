import { slugOf } from '../../../src/otel/mapping/trace-tasks.js';
import type { Span } from '../../../src/otel/otlp/span.js';
import { RECORDED, mapped, span, chat } from './traces.js';

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
