export const MEASURES = [
  'recorded',
  'deleted',
  'failed',
  'fallbacks',
  'corrected',
  'evaluated',
  'faults',
  'errors',
  'prompt_tokens',
  'completion_tokens',
  'total_tokens',
  'priced',
  'cost',
  'timed',
  'response_ms',
] as const;
export type Measure = (typeof MEASURES)[number];
export type Distribution = 'latencies' | 'first_tokens';

export type Metrics = Record<Measure, number> & Record<Distribution, Buffer>;

const NOTHING = Buffer.alloc(0);

export const NONE: Metrics = {
  ...(Object.fromEntries(MEASURES.map((name) => [name, 0])) as Record<Measure, number>),
  latencies: NOTHING,
  first_tokens: NOTHING,
};

export function totalOf(all: readonly Metrics[]): Metrics {
  const sums = MEASURES.map((name) => [name, all.reduce((sum, figures) => sum + figures[name], 0)]);
  return {
    ...(Object.fromEntries(sums) as Record<Measure, number>),
    latencies: Buffer.concat(all.map(({ latencies }) => latencies)),
    first_tokens: Buffer.concat(all.map(({ first_tokens }) => first_tokens)),
  };
}

export const rate = (some: number, all: number): number | null => (all === 0 ? null : some / all);

/** Dollars without floating-point noise; null when no request had a price. */
export const costOf = ({ priced, cost }: Metrics): number | null => (priced === 0 ? null : Number(cost.toFixed(10)));
