import {
  type Expected,
  type ItemSource,
  JUDGED_OUTCOMES,
  type JudgedOutcome,
  type Message,
  type TargetType,
  type TestInput,
} from '@signalbox/contracts';

export interface CheckedItem {
  source_type: ItemSource;
  source_id: string | null;
  input: TestInput;
  effective_expected_output: Expected | null;
  meta: Record<string, unknown>;
}

/** PASS when the item names no outcome, null when it names an invalid one. */
export function expectedOutcomeOf(meta: Record<string, unknown>): JudgedOutcome | null {
  const { expected_outcome = 'PASS' } = meta;
  return JUDGED_OUTCOMES.find((outcome) => outcome === expected_outcome) ?? null;
}

const TARGET_OF_SOURCE: Partial<Record<ItemSource, TargetType>> = {
  REQUEST: 'intent',
  WORKFLOW_RUN: 'workflow',
  AGENT_TASK: 'agent',
};

/**
 * The item in the form that the monitor judges in production; null without an expected output. Conditions name paths of
 * that form: when all targets are of one kind, every item gets its form, else that of the item's source.
 */
export function payloadOfItem(item: CheckedItem, targetTypes: readonly TargetType[]): object | null {
  const { effective_expected_output: expected, input } = item;
  if (!expected) return null;
  const [only, ...others] = new Set(targetTypes);
  const bySource = TARGET_OF_SOURCE[item.source_type] ?? (input.messages?.length ? 'intent' : 'workflow');
  return PAYLOADS[only !== undefined && others.length === 0 ? only : bySource](item, expected);
}

const PAYLOADS: Record<TargetType, (item: CheckedItem, expected: Expected) => object> = {
  intent: ({ source_id, input, meta }, expected) => ({
    request_id: source_id,
    messages: messagesOf(input),
    response: { choices: [{ index: 0, message: messageOf(expected), finish_reason: 'stop' }] },
    model: null,
    metadata: meta,
  }),
  workflow: ({ source_id, input, meta }, expected) => ({
    run_id: source_id,
    input: input.input ?? { messages: input.messages ?? [] },
    output: valueOf(expected),
    metadata: meta,
  }),
  agent: ({ source_id, input }, expected) => ({
    task_id: source_id,
    input_messages: messagesOf(input),
    output: messageOf(expected),
    state: {},
  }),
};

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value ?? null));

const messagesOf = ({ messages, input }: TestInput): Message[] =>
  messages?.length ? messages : [{ role: 'user', content: asText(input) }];

const messageOf = ({ text, json, message }: Expected): Message =>
  message ?? { role: 'assistant', content: text ?? asText(json) };

const valueOf = ({ text, json, message }: Expected): unknown => text ?? (message ? message.content : (json ?? null));
