import type { Span } from '../otlp/span.js';
import type { Role } from './attribute-names.js';
import { roleOf } from './attributes.js';

export interface SpanNode {
  span: Span;
  role: Role | null;
  parent: SpanNode | null;
  children: SpanNode[];
}

export interface TraceTree {
  nodes: readonly SpanNode[];
  /** The spans whose parents are not there; the root of the trace comes first. */
  roots: readonly SpanNode[];
  hasRoot: boolean;
}

const SERVER = 2;
const CONSUMER = 5;

const byStart = (a: SpanNode, b: SpanNode): number =>
  a.span.start_ms - b.span.start_ms || (a.span.span_id < b.span.span_id ? -1 : 1);

/** True for a span that begins the trace in this program: its parent, if any, belongs to another process. */
const begins = ({ parent_id, is_remote, kind }: Span, callerSpanId: string | null): boolean =>
  parent_id === null || is_remote || kind === SERVER || kind === CONSUMER || parent_id === callerSpanId;

/** True when its chain of parents leads back to it: senders choose the ids. */
function isInCycle(node: SpanNode): boolean {
  const seen = new Set<SpanNode>();
  for (let at = node.parent; at !== null; at = at.parent) {
    if (at === node) return true;
    if (seen.has(at)) return false;
    seen.add(at);
  }
  return false;
}

/** `callerSpanId` is the span of this platform that has caused the trace. */
export function treeOf(spans: readonly Span[], callerSpanId: string | null): TraceTree {
  const nodes = spans.map((span): SpanNode => ({ span, role: roleOf(span), parent: null, children: [] })).sort(byStart);
  const byId = new Map(nodes.map((node) => [node.span.span_id, node]));
  for (const node of nodes) node.parent = byId.get(node.span.parent_id ?? '') ?? null;
  for (const node of nodes) if (isInCycle(node)) node.parent = null;
  for (const node of nodes) node.parent?.children.push(node);
  const roots = nodes.filter(({ parent }) => parent === null);
  const root = roots.find(({ span }) => begins(span, callerSpanId));
  return {
    nodes,
    roots: root ? [root, ...roots.filter((node) => node !== root)] : roots,
    hasRoot: root !== undefined,
  };
}

export function* above({ parent }: SpanNode): Generator<SpanNode> {
  for (let at = parent; at !== null; at = at.parent) yield at;
}
