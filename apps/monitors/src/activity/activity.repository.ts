import { Injectable } from '@nestjs/common';
import type { ActivityPoint, MonitorOutcome } from '@signalbox/contracts';
import { Database } from '@signalbox/database';
import type { MeasuredRuns, Span } from './activity.js';
import { type ActivityGroup, BUDGET, METRICS_OF_TARGETS, POINTS } from './activity.sql.js';

export interface CountedRuns {
  span: Span;
  monitorId?: number;
  targetIds?: readonly number[] | undefined;
  outcomes?: readonly MonitorOutcome[] | undefined;
}

export interface BudgetUse {
  /** The cost has reached the limit of its version: it judges nothing more today. */
  budget_exhausted: boolean;
  cost_today: number;
  shadow_cost: number | null;
}

export interface GroupedPoint extends ActivityPoint {
  key: string;
  label: string;
}

const valuesOf = ({ span, monitorId, targetIds, outcomes }: CountedRuns): unknown[] => [
  span.start,
  span.end,
  monitorId ?? null,
  targetIds ?? null,
  outcomes ?? null,
];

/** SQL: counts are aggregates over an index of the runs. */
@Injectable()
export class ActivityCounts {
  constructor(private readonly db: Database) {}

  points(companyId: number, counted: CountedRuns, group: ActivityGroup): Promise<GroupedPoint[]> {
    return this.db.select(companyId, POINTS(group, counted.span.bucketMs), valuesOf(counted));
  }

  metrics(companyId: number, counted: CountedRuns): Promise<(MeasuredRuns & { target_id: number | null })[]> {
    return this.db.select(companyId, METRICS_OF_TARGETS, valuesOf(counted));
  }

  /** The cost of today, and that of shadow versions in the span. */
  async budget(companyId: number, counted: CountedRuns): Promise<BudgetUse> {
    const [row] = await this.db.select<BudgetUse>(companyId, BUDGET, valuesOf(counted));
    return row ?? { budget_exhausted: false, cost_today: 0, shadow_cost: null };
  }
}
