import type { InputOf, workflowRuns } from '@signalbox/contracts';
import { type Filter, runFiltersOf } from '@signalbox/database';
import { runView } from './run-reader.sql.js';

type Filters = Partial<InputOf<typeof workflowRuns.endpoints.listAllRuns>> & { application_id?: number };

export const runFilters = (input: Filters): Filter[] => runFiltersOf(runView, input);
