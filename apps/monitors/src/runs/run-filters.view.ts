import type { InputOf, monitorRuns } from '@signalbox/contracts';
import { type Filter, runFiltersOf } from '@signalbox/database';
import { view } from './runs.sql.js';

type Filters = Partial<InputOf<typeof monitorRuns.endpoints.listAllMonitorRuns>>;

export const runFilters = (input: Filters): Filter[] => runFiltersOf(view, input);
