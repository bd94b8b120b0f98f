import type { SourceRef } from '@signalbox/contracts';
import type { Output } from './output.js';

/** How an output came about, for criteria that judge more than the output. */
export interface Observed {
  /** The id of the item in its set, null outside of a run, and its `meta`. */
  item: { id: number | null; metadata: Record<string, unknown> } | null;
  latency_ms: number | null;
  /** US dollars; null when it is not known. */
  cost: number | null;
  source_ref: SourceRef | null;
  /** Epoch milliseconds. */
  ended_at: number | null;
}

export const NOTHING_OBSERVED: Observed = {
  item: null,
  latency_ms: null,
  cost: null,
  source_ref: null,
  ended_at: null,
};

export interface Judged {
  input: unknown;
  expected: Output | null;
  actual: Output;
  observed: Observed;
}
