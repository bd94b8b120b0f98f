import { Injectable } from '@nestjs/common';
import type { ActivityPoint, MonitorOutcome } from '@signalbox/contracts';
import { Database } from '@signalbox/database';
import { type MeasuredRuns, partsOf, type Span } from './activity.js';
import { type ActivityGroup, BUDGET, METRICS_OF_TARGETS, MONITOR_NAMES, POINTS } from './activity.sql.js';

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

/** The values $2 to $10 of `countedRuns`. */
export function countedValues({ span, monitorId, targetIds, outcomes }: CountedRuns): unknown[] {
  const { start, hours, days, hoursAfterDays, runsAfterHours, end } = partsOf(span);
  const parts = [start, hours, days, hoursAfterDays, runsAfterHours, end];
  return [...parts, monitorId ?? null, targetIds ?? null, outcomes ?? null];
}

/** SQL: counts of whole hours and days, and runs of the hours at the ends of a range, are summed by one statement. */
@Injectable()
export class ActivityCounts {
  constructor(private readonly db: Database) {}

  points(companyId: number, counted: CountedRuns, group: ActivityGroup): Promise<GroupedPoint[]> {
    return this.db.select(companyId, POINTS(group, counted.span.bucketMs), countedValues(counted));
  }

  /** Those of each monitor, under its name. */
  async pointsOfMonitors(companyId: number, counted: CountedRuns): Promise<GroupedPoint[]> {
    const points = await this.points(companyId, counted, 'monitor');
    const ids = [...new Set(points.map(({ key }) => Number(key)))];
    const rows = await this.db.select<{ id: number; name: string }>(companyId, MONITOR_NAMES, [ids]);
    const names = new Map(rows.map(({ id, name }) => [String(id), name]));
    return points.map((point) => ({ ...point, label: names.get(point.key) ?? point.label }));
  }

  metrics(companyId: number, counted: CountedRuns): Promise<(MeasuredRuns & { target_id: number | null })[]> {
    return this.db.select(companyId, METRICS_OF_TARGETS, countedValues(counted));
  }

  /** The cost of today, and that of shadow versions in the span. */
  async budget(companyId: number, counted: CountedRuns): Promise<BudgetUse> {
    const [row] = await this.db.select<BudgetUse>(companyId, BUDGET, countedValues(counted));
    return row ?? { budget_exhausted: false, cost_today: 0, shadow_cost: null };
  }
}
