import { defineContract } from '../contract.js';
import { Count, Default, Epoch, Id, ListOf, Nested, Nullable, Num, OneOf, Optional, Str } from '../fields/fields.js';
import { REQUEST_TYPES, type RequestType } from './chat/requests.js';

/** How long a point of a series lasts. */
export const BUCKETS = ['hour', 'day', 'week'] as const;
/** One such length. */
export type Bucket = (typeof BUCKETS)[number];
/** What can have a series of its own. */
export const GROUPINGS = ['none', 'application', 'intent', 'intent_group', 'model', 'agent'] as const;
/** One such thing. */
export type Grouping = (typeof GROUPINGS)[number];

/** A span of time in buckets; by default the last seven days in days. */
export class BucketedSpan {
  @Epoch() @Optional() start_date?: number;
  @Epoch() @Optional() end_date?: number;
  @OneOf(BUCKETS) @Default('day') bucket!: Bucket;
}

/** What every figure can be narrowed down to (api.md 2.2). */
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

/** Requests of one bucket. */
export class VolumePoint extends BucketPoint {
  @Count() count!: number;
}
class VolumeSeries extends Series {
  @ListOf(() => VolumePoint) points!: VolumePoint[];
}
/** How many requests there were. */
export class RequestVolume extends Bucketed {
  @ListOf(() => VolumeSeries, 0, 100_000) series!: VolumeSeries[];
  @Count() total!: number;
}

/** How requests were judged. */
export class Faults {
  @Count() evaluated!: number;
  @Count() faults!: number;
  @Count() errors!: number;
  @Num(0, 1) @Nullable() fault_rate!: number | null;
}
/** The same of one bucket. */
export class FaultPoint extends Faults {
  @Epoch() timestamp!: number;
}
class FaultSeries extends Series {
  @ListOf(() => FaultPoint) points!: FaultPoint[];
}
/** How often judges found a fault. */
export class FaultRate extends Bucketed {
  @ListOf(() => FaultSeries, 0, 100_000) series!: FaultSeries[];
  @Nested(() => Faults) total!: Faults;
}

/** Percentiles of response times; each is within one per cent of the true one. */
export class Latencies {
  @Count() @Nullable() p50_ms!: number | null;
  @Count() @Nullable() p90_ms!: number | null;
  @Count() @Nullable() p95_ms!: number | null;
  @Count() @Nullable() first_token_p50_ms!: number | null;
}
/** The same of one bucket. */
export class LatencyPoint extends Latencies {
  @Epoch() timestamp!: number;
}
class LatencySeries extends Series {
  @ListOf(() => LatencyPoint) points!: LatencyPoint[];
}
/** How long answers took. */
export class Latency extends Bucketed {
  @ListOf(() => LatencySeries, 0, 100_000) series!: LatencySeries[];
  @Nested(() => Latencies) total!: Latencies;
}

/** Tokens and their price in US dollars, null when nothing had a price. */
export class TokensUsed {
  @Count() prompt_tokens!: number;
  @Count() completion_tokens!: number;
  @Count() total_tokens!: number;
  @Num(0) @Nullable() cost!: number | null;
}
/** The same of one bucket. */
export class UsagePoint extends TokensUsed {
  @Epoch() timestamp!: number;
}
class UsageSeries extends Series {
  @ListOf(() => UsagePoint) points!: UsagePoint[];
}
/** What was used. */
export class UsageOverTime extends Bucketed {
  @ListOf(() => UsageSeries, 0, 100_000) series!: UsageSeries[];
  @Nested(() => TokensUsed) total!: TokensUsed;
}

/** The figures of a span as a whole; a rate is null where there was nothing. */
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

/** Figures of recorded requests over time (api.md 2.2). */
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
      summary: 'Tell over time how often judges found a fault',
      input: AnalyticsQuery,
      output: FaultRate,
    },
    getLatency: {
      get: '/analytics/latency',
      summary: 'Tell over time how long answers took',
      input: AnalyticsQuery,
      output: Latency,
    },
    getUsage: {
      get: '/analytics/usage',
      summary: 'Tell over time how many tokens were used and what they cost',
      input: AnalyticsQuery,
      output: UsageOverTime,
    },
    getSummary: {
      get: '/analytics/summary',
      summary: 'Sum up the requests of a span of time',
      input: AnalyticsQuery,
      output: AnalyticsSummary,
    },
  },
);

/** What a model did in one bucket. */
export class ModelUsagePoint extends BucketPoint {
  @Count() requests!: number;
  @Count() errors!: number;
  @Count() total_tokens!: number;
  @Num(0) @Nullable() cost!: number | null;
  @Count() @Nullable() p50_ms!: number | null;
  @Count() @Nullable() p95_ms!: number | null;
  @Num(0, 1) @Nullable() fault_rate!: number | null;
}
/** What a model did over time (api.md 2.18). */
export class ModelUsage extends Bucketed {
  @ListOf(() => ModelUsagePoint) points!: ModelUsagePoint[];
}
