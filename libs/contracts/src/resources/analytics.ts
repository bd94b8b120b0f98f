import { defineContract } from '../contract.js';
import { Count, Default, Epoch, Id, ListOf, Nested, Nullable, Num, OneOf, Optional, Str } from '../fields/fields.js';
import { REQUEST_TYPES, type RequestType } from './chat/recorded-requests.js';

export const BUCKETS = ['hour', 'day', 'week'] as const;
export type Bucket = (typeof BUCKETS)[number];
export const GROUPINGS = [
  'none',
  'application',
  'intent',
  'intent_group',
  'model',
  'agent',
  'release',
  'workflow',
] as const;
export type Grouping = (typeof GROUPINGS)[number];

/** A date range in buckets; by default the last seven days in days. */
export class BucketedSpan {
  @Epoch() @Optional() start_date?: number;
  @Epoch() @Optional() end_date?: number;
  @OneOf(BUCKETS) @Default('day') bucket!: Bucket;
}

/** The filters of every metric (docs/api/traffic.md). */
export class AnalyticsQuery extends BucketedSpan {
  @Id() @Optional() application_id?: number;
  @Id() @Optional() intent_id?: number;
  @Id() @Optional() intent_group_id?: number;
  @Id() @Optional() agent_id?: number;
  @Str(1, 200) @Optional() model?: string;
  @OneOf(REQUEST_TYPES) @Optional() request_type?: RequestType;
  @OneOf(GROUPINGS) @Default('none') group_by!: Grouping;
}

class Series {
  @Str() key!: string;
  @Str() label!: string;
}
class BucketPoint {
  @Epoch() timestamp!: number;
}
class Bucketed {
  @OneOf(BUCKETS) bucket!: Bucket;
}

export class VolumePoint extends BucketPoint {
  @Count() count!: number;
}
class VolumeSeries extends Series {
  @ListOf(() => VolumePoint) points!: VolumePoint[];
}
export class RequestVolume extends Bucketed {
  @ListOf(() => VolumeSeries, 0, 100_000) series!: VolumeSeries[];
  @Count() total!: number;
}

export class Faults {
  @Count() evaluated!: number;
  @Count() faults!: number;
  @Count() errors!: number;
  @Num(0, 1) @Nullable() fault_rate!: number | null;
}
export class FaultPoint extends Faults {
  @Epoch() timestamp!: number;
}
class FaultSeries extends Series {
  @ListOf(() => FaultPoint) points!: FaultPoint[];
}
/** The share of faulty requests over time. */
export class FaultRate extends Bucketed {
  @ListOf(() => FaultSeries, 0, 100_000) series!: FaultSeries[];
  @Nested(() => Faults) total!: Faults;
}

/** Percentiles of response times, each within one per cent of the exact value. */
export class Latencies {
  @Count() @Nullable() p50_ms!: number | null;
  @Count() @Nullable() p90_ms!: number | null;
  @Count() @Nullable() p95_ms!: number | null;
  @Count() @Nullable() first_token_p50_ms!: number | null;
}
export class LatencyPoint extends Latencies {
  @Epoch() timestamp!: number;
}
class LatencySeries extends Series {
  @ListOf(() => LatencyPoint) points!: LatencyPoint[];
}
/** Response times over time. */
export class Latency extends Bucketed {
  @ListOf(() => LatencySeries, 0, 100_000) series!: LatencySeries[];
  @Nested(() => Latencies) total!: Latencies;
}

/** Tokens and their price in US dollars; the price is null when no request had one. */
export class TokensUsed {
  @Count() prompt_tokens!: number;
  @Count() completion_tokens!: number;
  @Count() total_tokens!: number;
  @Num(0) @Nullable() cost!: number | null;
}
export class UsagePoint extends TokensUsed {
  @Epoch() timestamp!: number;
}
class UsageSeries extends Series {
  @ListOf(() => UsagePoint) points!: UsagePoint[];
}
export class UsageOverTime extends Bucketed {
  @ListOf(() => UsageSeries, 0, 100_000) series!: UsageSeries[];
  @Nested(() => TokensUsed) total!: TokensUsed;
}

/** The totals of a date range; a rate is null when it has no requests. */
export class AnalyticsSummary {
  @Count() request_count!: number;
  @Count() session_count!: number;
  @Num(0, 1) @Nullable() fault_rate!: number | null;
  @Num(0, 1) @Nullable() fallback_rate!: number | null;
  @Num(0, 1) @Nullable() correction_rate!: number | null;
  @Num(0, 1) @Nullable() error_rate!: number | null;
  @Count() @Nullable() avg_response_time_ms!: number | null;
  @Count() total_tokens!: number;
  @Num(0) @Nullable() cost!: number | null;
}

/** Metrics of recorded requests over time (docs/api/traffic.md). */
export const analytics = defineContract(
  { name: 'analytics', service: 'traffic', tag: 'Analytics', readsAfter: 'completions' },
  {
    getRequestVolume: {
      get: '/analytics/request-volume',
      summary: 'Count the requests over time',
      input: AnalyticsQuery,
      output: RequestVolume,
    },
    getFaultRate: {
      get: '/analytics/fault-rate',
      summary: 'Get the fault rate over time',
      input: AnalyticsQuery,
      output: FaultRate,
    },
    getLatency: {
      get: '/analytics/latency',
      summary: 'Get response times over time',
      input: AnalyticsQuery,
      output: Latency,
    },
    getUsage: {
      get: '/analytics/usage',
      summary: 'Get the tokens used and their cost over time',
      input: AnalyticsQuery,
      output: UsageOverTime,
    },
    getSummary: {
      get: '/analytics/summary',
      summary: 'Summarize the requests of a date range',
      input: AnalyticsQuery,
      output: AnalyticsSummary,
    },
  },
);

export class ModelUsagePoint extends BucketPoint {
  @Count() requests!: number;
  @Count() errors!: number;
  @Count() total_tokens!: number;
  @Num(0) @Nullable() cost!: number | null;
  @Count() @Nullable() p50_ms!: number | null;
  @Count() @Nullable() p95_ms!: number | null;
  @Num(0, 1) @Nullable() fault_rate!: number | null;
}
/** The usage of a model over time (docs/api/traffic.md). */
export class ModelUsage extends Bucketed {
  @ListOf(() => ModelUsagePoint) points!: ModelUsagePoint[];
}
