import type { Span } from '../otlp/span.js';
import type { Role } from './attribute-names.js';
import { roleOf } from './attributes.js';

/** A span among those that have arrived of its trace. */
export interface SpanNode {
  span: Span;
  role: Role | null;
  parent: SpanNode | null;
  children: SpanNode[];
}

export interface TraceTree {
  nodes: readonly SpanNode[];
  /** The spans whose parents are not there, first the one that is the root of the trace. */
  roots: readonly SpanNode[];
  /** The span that began the trace has arrived. */
  hasRoot: boolean;
}

const SERVER = 2;
const CONSUMER = 5;

const byStart = (a: SpanNode, b: SpanNode): number =>
  a.span.start_ms - b.span.start_ms || (a.span.span_id < b.span.span_id ? -1 : 1);

/** True for a span that begins the trace in this program: its parent, if any, is the call of another one. */
const begins = ({ parent_id, is_remote, kind }: Span, callerSpanId: string | null): boolean =>
  parent_id === null || is_remote || kind === SERVER || kind === CONSUMER || parent_id === callerSpanId;

/** Whether a chain of parents leads to the node itself: ids are what their sender says. */
function isInCircle(node: SpanNode): boolean {
  const seen = new Set<SpanNode>();
  for (let at = node.parent; at !== null; at = at.parent) {
    if (at === node) return true;
    if (seen.has(at)) return false;
    seen.add(at);
  }
  return false;
}

/** The tree of the spans that have arrived; `callerSpanId` is the span of this platform that has caused the trace. */
export function treeOf(spans: readonly Span[], callerSpanId: string | null): TraceTree {
  const nodes = spans.map((span): SpanNode => ({ span, role: roleOf(span), parent: null, children: [] })).sort(byStart);
  const byId = new Map(nodes.map((node) => [node.span.span_id, node]));
  for (const node of nodes) node.parent = byId.get(node.span.parent_id ?? '') ?? null;
  for (const node of nodes) if (isInCircle(node)) node.parent = null;
  for (const node of nodes) node.parent?.children.push(node);
  const roots = nodes.filter(({ parent }) => parent === null);
  const root = roots.find(({ span }) => begins(span, callerSpanId));
  return {
    nodes,
    roots: root ? [root, ...roots.filter((node) => node !== root)] : roots,
    hasRoot: root !== undefined,
  };
}

/** The nodes above a node, the next one first. */
export function* above({ parent }: SpanNode): Generator<SpanNode> {
  for (let at = parent; at !== null; at = at.parent) yield at;
}
