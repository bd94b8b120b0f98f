/** The result of one round of one side. */
export interface Sample {
  value: number;
  /** CPU microseconds per operation over all processes of that side, Postgres and NATS included. */
  cpuMicros: number;
  /** Operations that failed or returned a wrong reply. */
  errors: number;
  /** A further value of the same round, for a separate goal. */
  extraValue?: number;
}

/** One side of a comparison. */
export interface Side {
  name: string;
  round(): Promise<Sample>;
}

/** The rounds of both sides, in the order they ran. */
export interface Outcome {
  base: Sample[];
  product: Sample[];
}

/** The same rounds, seen by their other value. */
export function extraValue({ base, product }: Outcome): Outcome {
  const other = (samples: Sample[]): Sample[] =>
    samples.map((sample) => ({ ...sample, value: sample.extraValue ?? NaN }));
  return { base: other(base), product: other(product) };
}

/** The median. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? (sorted[middle] ?? NaN) : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
}

/**
 * Discarded rounds of each side: one is too short for code that only runs under load to be compiled. A single round
 * shows that a bench works, not a figure.
 */
const WARM_UP = 3;

/** The value below which a share of the sorted values lies. */
export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

/** Prints the current step, apart from the figures; a comparison prints those when its last round has ended. */
export const progress = (what: string): void => void process.stderr.write(`  ${what}\n`);

/**
 * Runs base and product in turn, after discarded rounds of each. The first side alternates, so that neither always has
 * the warmer machine. Without a base only the product runs.
 */
export async function alternate(base: Side | null, product: Side, rounds: number): Promise<Outcome> {
  for (let round = 0; round < (rounds > 1 ? WARM_UP : 0); round++) {
    progress(`warm-up ${round + 1} of ${WARM_UP}`);
    await base?.round();
    await product.round();
  }
  const outcome: Outcome = { base: [], product: [] };
  for (let round = 0; round < rounds; round++) {
    if (rounds > 1) progress(`round ${round + 1} of ${rounds}`);
    const order = round % 2 ? (['product', 'base'] as const) : (['base', 'product'] as const);
    for (const side of order) {
      const sample = await { base, product }[side]?.round();
      if (sample) outcome[side].push(sample);
    }
  }
  return outcome;
}
