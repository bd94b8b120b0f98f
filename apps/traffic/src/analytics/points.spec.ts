import { type Metrics, NONE } from './metrics.js';
import { FAULTS, LATENCY, MODEL_USAGE, SUMMARY, USAGE } from './points.js';

const of = (some: Partial<Metrics>): Metrics => ({ ...NONE, ...some });

describe('points', () => {
  it('have null rates without requests', () => {
    expect(FAULTS.point(NONE)).toEqual({ evaluated: 0, faults: 0, errors: 0, fault_rate: null });
    expect(LATENCY.point(NONE)).toEqual({ p50_ms: null, p90_ms: null, p95_ms: null, first_token_p50_ms: null });
    expect(USAGE.point(NONE)).toEqual({ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0, cost: null });
    expect(SUMMARY.point(NONE)).toMatchObject({ error_rate: null, avg_response_time_ms: null, request_count: 0 });
    expect(MODEL_USAGE.point(NONE)).toMatchObject({ requests: 0, p50_ms: null, fault_rate: null, cost: null });
  });

  it('have rates of the requests that count', () => {
    expect(FAULTS.point(of({ recorded: 9, evaluated: 4, faults: 1, errors: 2 }))).toEqual({
      evaluated: 4,
      faults: 1,
      errors: 2,
      fault_rate: 0.25,
    });
    expect(USAGE.point(of({ priced: 2 })).cost).toBe(0);
    const busy = of({ recorded: 4, deleted: 1, failed: 2, corrected: 1, fallbacks: 3, timed: 2, response_ms: 5 });
    expect(SUMMARY.point(busy)).toMatchObject({
      request_count: 3,
      error_rate: 0.5,
      correction_rate: 0.25,
      fallback_rate: 0.75,
      avg_response_time_ms: 3,
    });
    expect(MODEL_USAGE.point(busy)).toMatchObject({ requests: 3, errors: 2 });
  });
});
