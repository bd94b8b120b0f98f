import type { Message } from '@signalbox/contracts';
import type { ItemSteps } from '../steps/index.js';
import type { Judged } from './output.js';
import { contentOf, type Output, textOf } from './output.js';

/** The argument of the function `score` of a script (docs/api/tests.md). */
export interface ScorerItem {
  /** As the consumer got it: the text of a message. */
  input: unknown;
  messages: Message[];
  /** The text of the output, or its JSON value. */
  output: unknown;
  /** Null unless the output is a message. */
  output_message: Message | null;
  expected: unknown;
  item: { id: number | null; metadata: Record<string, unknown> };
  latency_ms: number | null;
  cost: number | null;
  status?: string;
  steps?: ItemSteps['calls'];
}

export function scorerItem({ input, expected, actual, observed }: Judged, steps: ItemSteps | null): ScorerItem {
  return {
    ...inputOf(input),
    output: valueOf(actual),
    output_message: 'message' in actual ? actual.message : null,
    expected: expected && valueOf(expected),
    item: observed.item ?? { id: null, metadata: {} },
    latency_ms: observed.latency_ms,
    cost: observed.cost,
    ...(steps ? { status: steps.status, steps: steps.calls } : {}),
  };
}

const valueOf = (output: Output): unknown => ('json' in output ? output.json : textOf(output));

type Adapted = { messages?: unknown; message?: unknown; input?: unknown; body?: unknown };

function inputOf(given: unknown): Pick<ScorerItem, 'input' | 'messages'> {
  if (isMessages(given)) return { input: lastQuestion(given), messages: given };
  if (typeof given !== 'object' || given === null) return { input: given, messages: [] };
  const { messages, message, input, body } = given as Adapted;
  if (isMessages(messages)) return { input: input === undefined ? lastQuestion(messages) : input, messages };
  if (typeof message === 'string') return { input: message, messages: [{ role: 'user', content: message }] };
  if (input !== undefined) return { input, messages: [] };
  return { input: body === undefined ? given : body, messages: [] };
}

const isMessages = (value: unknown): value is Message[] =>
  Array.isArray(value) &&
  value.length > 0 &&
  value.every((each) => typeof each === 'object' && each !== null && 'role' in each);

function lastQuestion(messages: readonly Message[]): string | null {
  const asked = messages.findLast(({ role }) => role === 'user');
  return asked ? contentOf(asked) : null;
}
