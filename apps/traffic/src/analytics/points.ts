import type { AnalyticsSummary, Faults, Latencies, ModelUsagePoint, TokensUsed } from '@signalbox/contracts';
import { costOf, type Distribution, type Metrics, type Measure, rate } from './metrics.js';
import { percentilesOf } from './latency-sketch.js';

/** The points of one endpoint, and the counters and distributions that they need; docs/api/traffic.md defines each. */
export interface Kind<Point> {
  measures: readonly Measure[];
  distributions: readonly Distribution[];
  point(figures: Metrics): Point;
}

/** The number of requests in lists: deleted ones are not listed, but their usage counts. */
const listed = ({ recorded, deleted }: Metrics): number => recorded - deleted;

export const VOLUME: Kind<{ count: number }> = {
  measures: ['recorded', 'deleted'],
  distributions: [],
  point: (figures) => ({ count: listed(figures) }),
};

export const FAULTS: Kind<Faults> = {
  measures: ['recorded', 'evaluated', 'faults', 'errors'],
  distributions: [],
  point: ({ evaluated, faults, errors }) => ({ evaluated, faults, errors, fault_rate: rate(faults, evaluated) }),
};

const ANSWERS = [0.5, 0.9, 0.95];
const MEDIAN = [0.5];

export const LATENCY: Kind<Latencies> = {
  measures: ['recorded'],
  distributions: ['latencies', 'first_tokens'],
  point: ({ latencies, first_tokens }) => {
    const answers = percentilesOf(latencies, ANSWERS);
    return {
      p50_ms: answers[0] ?? null,
      p90_ms: answers[1] ?? null,
      p95_ms: answers[2] ?? null,
      first_token_p50_ms: percentilesOf(first_tokens, MEDIAN)[0] ?? null,
    };
  },
};

export const USAGE: Kind<TokensUsed> = {
  measures: ['recorded', 'prompt_tokens', 'completion_tokens', 'total_tokens', 'priced', 'cost'],
  distributions: [],
  point: (figures) => {
    const { prompt_tokens, completion_tokens, total_tokens } = figures;
    return { prompt_tokens, completion_tokens, total_tokens, cost: costOf(figures) };
  },
};

export const SUMMARY: Kind<Omit<AnalyticsSummary, 'session_count'>> = {
  measures: [
    ...VOLUME.measures,
    ...(['evaluated', 'faults', 'fallbacks', 'corrected', 'failed'] as const),
    ...(['timed', 'response_ms', 'total_tokens', 'priced', 'cost'] as const),
  ],
  distributions: [],
  point: (figures) => {
    const { recorded, evaluated, faults, fallbacks, corrected, failed, timed, response_ms, total_tokens } = figures;
    const average = rate(response_ms, timed);
    return {
      request_count: listed(figures),
      fault_rate: rate(faults, evaluated),
      fallback_rate: rate(fallbacks, recorded),
      correction_rate: rate(corrected, recorded),
      error_rate: rate(failed, recorded),
      avg_response_time_ms: average === null ? null : Math.round(average),
      total_tokens,
      cost: costOf(figures),
    };
  },
};

export const MODEL_USAGE: Kind<Omit<ModelUsagePoint, 'timestamp'>> = {
  measures: [...VOLUME.measures, 'failed', 'evaluated', 'faults', 'total_tokens', 'priced', 'cost'],
  distributions: ['latencies'],
  point: (figures) => {
    const { p50_ms, p95_ms } = LATENCY.point(figures);
    const { failed: errors, total_tokens, faults, evaluated } = figures;
    const fault_rate = rate(faults, evaluated);
    return { requests: listed(figures), errors, total_tokens, cost: costOf(figures), p50_ms, p95_ms, fault_rate };
  },
};
