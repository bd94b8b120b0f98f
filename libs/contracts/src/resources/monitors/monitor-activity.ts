import { defineContract } from '../../contract.js';
import {
  Count,
  Default,
  Description,
  Epoch,
  Flag,
  Id,
  join,
  List,
  ListOf,
  Nested,
  Nullable,
  Num,
  OneOf,
  Optional,
  Str,
} from '../../fields/fields.js';
import { intType, oneOfType } from '../../fields/field-types.js';
import { DateRange } from '../../shapes.js';
import { MonitorPath } from './monitor-path.js';
import { MONITOR_OUTCOMES, type MonitorOutcome } from './monitor-runs.js';

/** The lengths of a point of a monitor's activity. */
export const ACTIVITY_BUCKETS = ['hour', 'day'] as const;
export type ActivityBucket = (typeof ACTIVITY_BUCKETS)[number];

@DateRange
class ActivitySpan {
  @Epoch() @Optional() start_date?: number;
  @Epoch() @Optional() end_date?: number;
  @OneOf(ACTIVITY_BUCKETS) @Default('day') bucket!: ActivityBucket;
  @List(oneOfType(MONITOR_OUTCOMES), 1) @Optional() outcome?: MonitorOutcome[];
}
class ActivityOfMonitor extends join(ActivitySpan, MonitorPath) {
  @List(intType(), 1, 100) @Optional() monitor_target_id?: number[];
}
class ActivityQuery extends ActivityOfMonitor {
  @OneOf(['none', 'version']) @Default('none') group_by!: 'none' | 'version';
}
class CompanyActivityQuery extends ActivitySpan {
  @OneOf(['monitor']) @Default('monitor') group_by!: 'monitor';
}

export class OutcomeCounts {
  @Count() pass!: number;
  @Count() warning!: number;
  @Count() fault!: number;
  @Count() error!: number;
  @Count() total!: number;
}
export class ActivityPoint extends OutcomeCounts {
  @Epoch() timestamp!: number;
}
class ActivitySeries {
  @Str() key!: string;
  @Str() label!: string;
  @ListOf(() => ActivityPoint, 0, 1000) points!: ActivityPoint[];
}
/** Runs over time: as points, or as series with their sum when they are grouped. */
export class MonitorActivity {
  @OneOf(ACTIVITY_BUCKETS) bucket!: ActivityBucket;
  @ListOf(() => ActivityPoint, 0, 1000) @Optional() points?: ActivityPoint[];
  @ListOf(() => ActivitySeries, 0, 100_000) @Optional() series?: ActivitySeries[];
  @Nested(() => OutcomeCounts) @Optional() total?: OutcomeCounts;
}

/** The rates of runs; runs of shadow versions are in none, and ERROR is in no rate. */
export class RunMetrics {
  @Count() total!: number;
  @Count() pass_count!: number;
  @Count() warning_count!: number;
  @Count() fault_count!: number;
  @Count() error_count!: number;
  @Num(0, 1) @Nullable() fault_rate!: number | null;
  @Num(0, 1) @Nullable() warning_rate!: number | null;
  @Num(0) @Nullable() avg_runner_duration_ms!: number | null;
  @Num(0) @Nullable() cost!: number | null;
  @Epoch() @Nullable() last_run_at!: number | null;
}
class TargetMetrics extends RunMetrics {
  @Id() monitor_target_id!: number;
}
export class MonitorMetrics extends RunMetrics {
  @Flag() @Description('Nothing is judged until 00:00 UTC') budget_exhausted!: boolean;
  @Num(0)
  @Description(
    'US dollars since 00:00 UTC that count towards `max_cost_per_day`: runs with all their tries, runs of the shadow version, checks and previews',
  )
  cost_today!: number;
  @Num(0)
  @Nullable()
  @Description('US dollars of the runs of shadow versions, which are not in `cost`')
  shadow_cost!: number | null;
  @ListOf(() => TargetMetrics) targets!: TargetMetrics[];
}

/** Activity and metrics of monitors (docs/api/monitors.md, docs/api/README.md). */
export const monitorActivity = defineContract(
  { name: 'monitor-activity', service: 'monitors', tag: 'Monitors' },
  {
    getCompanyActivity: {
      get: '/monitors/activity',
      summary: 'Get the runs of all monitors over time',
      input: CompanyActivityQuery,
      output: MonitorActivity,
    },
    getMonitorActivity: {
      get: '/monitors/{monitor_id}/activity',
      summary: 'Get the runs of a monitor over time, also by version with its shadow',
      input: ActivityQuery,
      output: MonitorActivity,
    },
    getMonitorMetrics: {
      get: '/monitors/{monitor_id}/metrics',
      summary: 'Get the rates of a monitor and of its targets',
      input: ActivityOfMonitor,
      output: MonitorMetrics,
    },
  },
);
