import type { ExternalTask, Usage } from '@signalbox/contracts';
import { cutText } from '../otlp/bounded.js';
import { nameOf, parsedOf, textIn, valueIn } from './attributes.js';
import { failureOf } from './failures.js';
import { requestIdOf } from './trace-requests.js';
import type { SpanNode } from './trace-tree.js';

type Event = ExternalTask['timeline'][number];

interface OfTimeline {
  companyId: number;
  calls: ReadonlyMap<SpanNode, Usage>;
  nodes: readonly SpanNode[];
  children: readonly { id: string; node: SpanNode }[];
}

const MAX_BYTES = 8 * 1_048_576;
/** Characters of the input or output of a tool. */
const MAX_SHOWN = 65_536;

/** In the order of time. Inputs and outputs of tools are cut until the timeline fits. */
export function timelineOf(of: OfTimeline): Event[] {
  let events = eventsOf(of, MAX_SHOWN);
  for (let max = MAX_SHOWN / 2; max >= 1 && Buffer.byteLength(JSON.stringify(events)) > MAX_BYTES; max /= 2)
    events = eventsOf(of, max);
  return events;
}

function eventsOf({ nodes, children, ...of }: OfTimeline, maxShown: number): Event[] {
  let step = 0;
  const events = nodes.flatMap((node): Event[] => {
    if (node.role === 'model') return modelEvents(of, node, ++step);
    return node.role === 'tool' ? toolEvents(node, ++step, maxShown) : [];
  });
  const called = children.map(({ id, node }): Event => ({
    type: 'sub_agent_invoked',
    at: node.span.start_ms,
    data: { child_task_id: id },
  }));
  return [...events, ...called].sort((a, b) => a.at - b.at).map((event) => ({ ...event, at: Math.floor(event.at) }));
}

/** A call that consists of others is a step without request and usage. */
function modelEvents(
  { companyId, calls }: Pick<OfTimeline, 'companyId' | 'calls'>,
  node: SpanNode,
  step: number,
): Event[] {
  const { span } = node;
  const usage = calls.get(node) ?? null;
  const model = textIn(span, 'model')?.slice(0, 200) ?? null;
  const request_id = usage ? requestIdOf(companyId, span) : null;
  const { failure_class } = failureOf(span);
  return [
    { type: 'model_called', at: span.start_ms, data: { step, model, request_id } },
    {
      type: 'model_answered',
      at: span.end_ms,
      data: {
        step,
        usage,
        duration_ms: Math.round(span.end_ms - span.start_ms),
        finish_reason: textIn(span, 'finish_reason')?.slice(0, 100) ?? null,
        ...(failure_class === null ? {} : { failure_class }),
      },
    },
  ];
}

function shown(value: unknown, max: number): unknown {
  const parsed = parsedOf(value);
  const text = JSON.stringify(parsed) ?? '';
  return text.length <= max ? parsed : cutText(typeof value === 'string' ? value : text, max);
}

/** `step` connects a call with its result. */
function toolEvents({ span }: SpanNode, step: number, maxShown: number): Event[] {
  const action_name = nameOf(textIn(span, 'tool_name')) ?? nameOf(span.name) ?? 'tool';
  const { error_message } = failureOf(span);
  return [
    {
      type: 'action_invoked',
      at: span.start_ms,
      data: { step, action_name, arguments: shown(valueIn(span, 'tool_arguments'), maxShown) ?? {} },
    },
    {
      type: 'action_result',
      at: span.end_ms,
      data: {
        step,
        action_name,
        status: error_message === null ? 'SUCCESS' : 'ERROR',
        output: shown(valueIn(span, 'tool_result'), maxShown) ?? (error_message && cutText(error_message, maxShown)),
        duration_ms: Math.round(span.end_ms - span.start_ms),
      },
    },
  ];
}
