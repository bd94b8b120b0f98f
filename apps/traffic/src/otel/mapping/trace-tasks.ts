import { type ExternalFeedback, type ExternalTask, NO_USAGE, type Usage } from '@signalbox/contracts';
import { Rejected } from '../otlp/any-value.js';
import { bounded } from '../otlp/bounded.js';
import type { Attributes, LoggedEvaluation, Span } from '../otlp/span.js';
import { EVALUATION } from './attribute-names.js';
import { amountOf, firstOf, nameOf, textIn } from './attributes.js';
import { failureOf } from './failures.js';
import { type MappedMessage, messagesOf } from './messages.js';
import { idOf } from './trace-requests.js';
import { timelineOf } from './trace-timeline.js';
import { above, type SpanNode, type TraceTree } from './trace-tree.js';

export interface AssembledTrace {
  companyId: number;
  traceId: string;
  tree: TraceTree;
  evaluations: readonly LoggedEvaluation[];
  /** The model spans whose usage counts. */
  calls: ReadonlyMap<SpanNode, Usage>;
}

export interface MappedTasks {
  tasks: ExternalTask[];
  taskOf: (node: SpanNode) => ExternalTask | undefined;
}

interface TaskNode {
  id: string;
  node: SpanNode;
  agentName: string;
  parent: TaskNode | null;
}

const MAX_TASK_BYTES = 1_048_576;
const MAX_TASKS = 200;
const SEMVER = /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})$/;

export const mainTaskId = (companyId: number, traceId: string): string => idOf(companyId, traceId, 'task');

const ownAgentName = ({ span, role }: SpanNode): string | null => {
  if (role === null) return nameOf(span.attributes['gen_ai.agent.name']);
  return nameOf(textIn(span, 'agent_name')) ?? nameOf(span.attributes['traceloop.entity.name']);
};

export const serviceOf = ({ resource }: Span): string => nameOf(resource['service.name']) ?? 'unknown_service';

/** The namespace of its services, else the service of its root. */
export const applicationOf = (root: Span): string => nameOf(root.resource['service.namespace']) ?? serviceOf(root);

/**
 * Maps each called agent to its caller, or to the agent that handed over to it. When a handover names several agents,
 * it is the one that started last before it.
 */
function callersOf(agents: readonly SpanNode[]): Map<SpanNode, SpanNode> {
  const known = new Set(agents);
  const started = new Map<string, SpanNode>();
  const callers = new Map<SpanNode, SpanNode>();
  for (const node of agents) {
    const caller = [...above(node)].find((each) => known.has(each));
    const handedOver = started.get(textIn(node.span, 'handed_over_by') ?? '');
    const found = caller ?? handedOver;
    if (found) callers.set(node, found);
    started.set(ownAgentName(node) ?? '', node);
  }
  return callers;
}

/**
 * The spans that are tasks: the only agent at the top, else the root of the trace; below it, each agent whose name
 * differs from that of its caller. Agents without a name are steps when others have one.
 */
function taskNodes({ companyId, traceId, tree }: AssembledTrace): TaskNode[] {
  const all = tree.nodes.filter(({ role }) => role === 'agent');
  const named = all.filter((node) => ownAgentName(node) !== null);
  const agents = named.length > 0 ? named : all;
  const callers = callersOf(agents);
  const atTop = agents.filter((node) => !callers.has(node));
  const top = (atTop.length === 1 ? atTop[0] : undefined) ?? tree.roots[0];
  if (!top) return [];
  const main: TaskNode = {
    id: mainTaskId(companyId, traceId),
    node: top,
    agentName: ownAgentName(top) ?? serviceOf(top.span),
    parent: null,
  };
  const tasks = new Map([[top, main]]);
  const taskAbove = (node: SpanNode): TaskNode => {
    const seen = new Set<SpanNode>();
    for (let at = callers.get(node); at !== undefined && !seen.has(at); at = callers.get(at)) {
      const task = tasks.get(at);
      if (task) return task;
      seen.add(at);
    }
    return main;
  };
  for (const node of agents) {
    const agentName = ownAgentName(node);
    if (node === top || agentName === null || tasks.size >= MAX_TASKS) continue;
    const caller = taskAbove(node);
    if (caller.agentName === agentName) continue;
    tasks.set(node, { id: idOf(companyId, traceId, node.span.span_id), node, agentName, parent: caller });
  }
  return [...tasks.values()];
}

/** A parent precedes its children. */
export function tasksOf(trace: AssembledTrace): MappedTasks {
  const found = taskNodes(trace);
  const byNode = new Map(found.map((task) => [task.node, task]));
  const main = found[0];
  const ownerOf = (node: SpanNode): TaskNode | undefined =>
    byNode.get(node) ?? [...above(node)].map((each) => byNode.get(each)).find((each) => each !== undefined) ?? main;
  const owned = new Map<TaskNode, SpanNode[]>(found.map((task) => [task, []]));
  for (const node of trace.tree.nodes) owned.get(ownerOf(node) as TaskNode)?.push(node);
  const session = sessionOf(trace, main);
  const tasks = new Map(
    found.map((task) => {
      const nodes = owned.get(task) ?? [];
      const children = found.filter(({ parent }) => parent === task);
      const feedback = task === main ? feedbackOf(trace) : null;
      return [task, taskOf(trace, task, { nodes, children, session, feedback })];
    }),
  );
  return {
    tasks: [...tasks.values()],
    taskOf: (node) => {
      const owner = ownerOf(node);
      return owner && tasks.get(owner);
    },
  };
}

/** A trace that names no session is a session of its own. */
function sessionOf({ tree, traceId }: AssembledTrace, main: TaskNode | undefined): string {
  const nodes = main ? [main.node, ...tree.nodes] : tree.nodes;
  const given = nodes.map(({ span }) => textIn(span, 'session')).find((each) => each !== null) ?? traceId;
  return given.replace(/[^A-Za-z0-9._:-]/g, '-').slice(0, 128);
}

interface OfTask {
  nodes: readonly SpanNode[];
  children: readonly TaskNode[];
  session: string;
  feedback: ExternalFeedback | null;
}

function taskOf(trace: AssembledTrace, task: TaskNode, { nodes, children, session, feedback }: OfTask): ExternalTask {
  const { span } = task.node;
  const calls = nodes.filter((node) => trace.calls.has(node));
  const reported = textIn(span, 'agent_version');
  const isSemver = reported !== null && SEMVER.test(reported);
  const last = calls.at(-1)?.span;
  // The callers of the top agent describe its run too, and know how it went on after a handover.
  const around = task.parent === null ? [...above(task.node)] : [];
  const input = inputOf([task.node, ...calls.slice(0, 1), ...around]);
  const output = outputOf([task.node, ...calls.toReversed(), ...around]);
  const texts = boundedTexts({ input, output });
  return {
    id: task.id,
    parent_task_id: task.parent?.id ?? null,
    agent_name: task.agentName,
    version: isSemver ? reported : null,
    reported_version: isSemver ? null : (reported?.slice(0, 200).toWellFormed() ?? null),
    release: slugOf(textIn(span, 'environment')),
    session_id: session,
    input_messages: texts.input as unknown as Record<string, unknown>[],
    output: texts.output as unknown as Record<string, unknown> | null,
    model: last ? (textIn(last, 'model')?.slice(0, 200).toWellFormed() ?? null) : null,
    iterations: calls.length,
    usage: sumOf(calls.map((node) => trace.calls.get(node) ?? NO_USAGE)),
    ...failureOf(span),
    started_at: Math.floor(span.start_ms),
    ended_at: Math.ceil(Math.max(span.end_ms, ...children.map((child) => child.node.span.end_ms))),
    metadata: { trace_id: trace.traceId, span_id: span.span_id, service_name: serviceOf(span) },
    timeline: timelineOf({ companyId: trace.companyId, calls: trace.calls, nodes, children }),
    feedback,
  };
}

interface Texts {
  input: MappedMessage[];
  output: MappedMessage | null;
}

/** Drops calls of tools where cutting texts is not enough. */
function boundedTexts({ input, output }: Texts): Texts {
  try {
    return bounded({ input, output }, MAX_TASK_BYTES).value;
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    const messages = input.map(({ tool_calls: _, ...message }) => message);
    return bounded({ input: messages, output }, MAX_TASK_BYTES).value;
  }
}

export function slugOf(text: string | null): string | null {
  const slug = (text ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9_-]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, 64)
    .replace(/-+$/, '');
  return slug === '' ? null : slug;
}

const isInput = ({ role }: MappedMessage): boolean => role !== 'system' && role !== 'developer';

function inputOf(nodes: readonly SpanNode[]): MappedMessage[] {
  for (const { span } of nodes) {
    const messages = messagesOf(span, 'input').filter(isInput);
    if (messages.length > 0) return messages;
  }
  return [];
}

function outputOf(nodes: readonly SpanNode[]): MappedMessage | null {
  for (const { span } of nodes) {
    const answer = messagesOf(span, 'output').at(-1);
    if (answer?.content) return { role: 'assistant', content: answer.content };
    if (answer?.content === '' && !answer.tool_calls) return { role: 'assistant', content: '' };
  }
  return null;
}

function sumOf(usages: readonly Usage[]): Usage {
  const total = (of: (usage: Usage) => number): number => usages.reduce((sum, usage) => sum + of(usage), 0);
  return {
    prompt_tokens: total((usage) => usage.prompt_tokens),
    completion_tokens: total((usage) => usage.completion_tokens),
    total_tokens: total((usage) => usage.total_tokens),
    // A sum without the unknown costs would be a price that nobody paid.
    cost: usages.length > 0 && usages.every(({ cost }) => cost !== null) ? total(({ cost }) => cost ?? 0) : null,
  };
}

/** The newest score from 1 to 5, and the text of every evaluation. */
function feedbackOf({ tree, evaluations }: AssembledTrace): ExternalFeedback | null {
  const inSpans = tree.nodes.flatMap(({ span }) =>
    span.events
      .filter(({ name }) => name === EVALUATION.eventName)
      .map(({ time_ms, attributes }) => ({ time_ms, attributes })),
  );
  const all = [...inSpans, ...evaluations].sort((a, b) => a.time_ms - b.time_ms);
  if (all.length === 0) return null;
  const scores = all.map(({ attributes }) => amountOf(firstOf(attributes, EVALUATION.score)));
  const score = scores.findLast((each) => each !== null && each >= 1 && each <= 5) ?? null;
  const text = all.map(({ attributes }) => textOfEvaluation(attributes)).join('\n');
  return { score, text: text.slice(0, 4000).toWellFormed() };
}

function textOfEvaluation(attributes: Attributes): string {
  const [name, label, explanation] = [EVALUATION.name, EVALUATION.label, EVALUATION.explanation].map((names) => {
    const value = firstOf(attributes, names);
    return typeof value === 'string' && value !== '' ? value : null;
  });
  const verdict = [name, label].filter((each) => each !== null).join(': ');
  return [verdict, explanation].filter((each) => each !== null && each !== '').join('. ');
}
