/** What a run of the scenario is. */
export interface RunPlan {
  at: number;
  /** The value of its secret; null for one without. */
  secret: string | null;
  /** Cancelled shortly after it was accepted. */
  cancelled: boolean;
  /** The caller waits for its end. */
  waits: boolean;
}

/** A run that the platform has accepted. */
export interface AcceptedPlan extends RunPlan {
  runId: string;
  /** A call to cancel it was accepted. */
  stopped: boolean;
}

/** The properties of a run follow from its number. */
export const planOf = (at: number): RunPlan => ({
  at,
  secret: at % 7 === 3 ? `chaos-secret-${at}-0123456789` : null,
  cancelled: at % 10 === 5,
  waits: at % 4 === 1,
});

/** The output of a run that completes. */
export const outputOf = (at: number): object => ({ n: at, values: [10 * at + 1, 10 * at + 2], leaf: at });

/** Nested runs of a run that completes: two children, of which the second has a child. */
export const NESTED = 3;
