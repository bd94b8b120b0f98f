export interface RunPlan {
  at: number;
  secret: string | null;
  cancelled: boolean;
  waits: boolean;
}

export interface AcceptedPlan extends RunPlan {
  runId: string;
  stopped: boolean;
}

export const planOf = (at: number): RunPlan => ({
  at,
  secret: at % 7 === 3 ? `chaos-secret-${at}-0123456789` : null,
  cancelled: at % 10 === 5,
  waits: at % 4 === 1,
});

export const outputOf = (at: number): object => ({ n: at, values: [10 * at + 1, 10 * at + 2], leaf: at });

/** In a run that completes: two children, of which the second has a child. */
export const NESTED = 3;
