import type { InputOf, monitorRuns } from '@signalbox/contracts';
import { type Filter, runFiltersOf } from '@signalbox/database';
import { view } from './runs.sql.js';

type Filters = Partial<InputOf<typeof monitorRuns.endpoints.listAllMonitorRuns>>;

export function runFilters({ outcome, ...input }: Filters): Filter[] {
  const outcomes = outcome?.includes('PASS') ? { outcome } : { not_passed: outcome };
  return runFiltersOf(view, { ...input, ...outcomes });
}
