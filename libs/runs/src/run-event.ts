/** An event of a run, for its stream, its timeline or both. */
export interface RunEvent {
  event?: { type: string; data: Record<string, unknown> };
  timeline?: { type: string; data: Record<string, unknown> };
  /** Time of an event that is written later, in epoch milliseconds; default now. */
  at?: number;
}
