import { readFileSync } from 'node:fs';
import type { ExternalTask, Usage } from '@signalbox/contracts';
import { tokensIn } from '../../../src/otel/mapping/attributes.js';
import { requestOf } from '../../../src/otel/mapping/trace-records.js';
import { countedCalls } from '../../../src/otel/mapping/trace-requests.js';
import { tasksOf } from '../../../src/otel/mapping/trace-tasks.js';
import { type SpanNode, treeOf } from '../../../src/otel/mapping/trace-tree.js';
import { readSpans } from '../../../src/otel/otlp/read-export.js';
import type { Span } from '../../../src/otel/otlp/span.js';

export const RECORDED = Date.parse('2026-11-24T16:00:00Z');

/** What traces become, as far as a price is no part of it. */
export function mapped(spans: Span[], counted: string[] = [], unpriced: string[] = []) {
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

export function fixture(name: string) {
  const body = readFileSync(new URL(`../../../../test/otel/fixtures/${name}.json`, import.meta.url));
  const ends = [...body.toString().matchAll(/"endTimeUnixNano": "(\d+)"/g)].map(([, end]) => Number(end) / 1e6);
  const { read, rejected } = readSpans(body, 'application/json', Math.max(...ends));
  expect(rejected).toEqual([]);
  return mapped(read);
}

export const USER = { role: 'user', content: 'Where is order 7?' };
export const ANSWER = { role: 'assistant', content: 'Order 7 is on its way.' };
export const typesOf = ({ timeline }: ExternalTask): string[] => timeline.map(({ type }) => type);
export const TWO_CALLS_AND_A_TOOL = [
  'model_called',
  'model_answered',
  'action_invoked',
  'action_result',
  'model_called',
  'model_answered',
];

export interface Expected {
  service: string;
  agent?: string;
  session?: string;
  input: object[];
  output: object | null;
}

export const SAID = { input: [USER], output: ANSWER };

let serial = 0;
export const span = (more: Partial<Span>): Span => ({
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
export const chat = (more: Partial<Span>): Span =>
  span({ attributes: { 'gen_ai.operation.name': 'chat', 'gen_ai.usage.input_tokens': 5 }, ...more });

/** The messages of a call with these attributes. */
export function messagesWith(attributes: object, more: Partial<Span> = {}) {
  const [request] = mapped([
    chat({ attributes: { 'gen_ai.operation.name': 'chat', ...attributes }, ...more }),
  ]).requests;
  const { messages } = JSON.parse(request!.params) as { messages: { role: string; content: string }[] };
  const { message } = (JSON.parse(request!.response ?? '') as { choices: [{ message: object }] }).choices[0];
  return { messages, message };
}
