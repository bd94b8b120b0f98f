import { createHash } from 'node:crypto';
import type { Span } from '../otlp/span.js';
import { above, type SpanNode, type TraceTree } from './trace-tree.js';

/** Derived from its arguments, so that a repeat gets the same id. */
export function idOf(...of: (string | number)[]): string {
  const hex = createHash('sha256').update(JSON.stringify(of)).digest('hex');
  const variant = ((parseInt(hex[16] ?? '0', 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

export const requestIdOf = (companyId: number, { trace_id, span_id }: Span): string =>
  idOf(companyId, trace_id, span_id, 'request');

/**
 * Model spans whose usage counts: those without a model span below them, because instrumentations of several libraries
 * may describe one call. What was counted stays counted, and nothing below it is counted again when it arrives late.
 */
export function countedCalls({ nodes }: TraceTree, counted: ReadonlySet<string>): SpanNode[] {
  const models = nodes.filter(({ role }) => role === 'model');
  const isCounted = ({ span }: SpanNode): boolean => counted.has(span.span_id);
  const hasModelBelow = new Set<SpanNode>();
  for (const node of models) for (const each of above(node)) hasModelBelow.add(each);
  const hasCountedBelow = new Set<SpanNode>();
  for (const node of models.filter(isCounted)) for (const each of above(node)) hasCountedBelow.add(each);
  return models.filter((node) => {
    if (isCounted(node)) return true;
    if (hasModelBelow.has(node) || hasCountedBelow.has(node)) return false;
    return ![...above(node)].some(isCounted);
  });
}
