/** Something that happened in a run, for its stream and its timeline. */
export interface RunEvent {
  event?: { type: string; data: Record<string, unknown> };
  timeline?: { type: string; data: Record<string, unknown> };
  /** Epoch milliseconds at which it happened, for what is written later; default now. */
  at?: number;
}
