export interface RunEvent {
  event?: { type: string; data: Record<string, unknown> };
  timeline?: { type: string; data: Record<string, unknown> };
  /** Epoch ms; default now. */
  at?: number;
}
