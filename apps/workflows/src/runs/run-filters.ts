import type { InputOf, workflowRuns } from '@signalbox/contracts';
import { type Filter, filtersOf, likeTextInJson } from '@signalbox/database';
import { runView } from './run-reader.sql.js';

type Filters = Partial<InputOf<typeof workflowRuns.endpoints.listAllRuns>> & { application_id?: number };

/** The conditions of a list of runs; text is searched as it is inside of JSON. */
export const runFilters = ({ text, ...input }: Filters): Filter[] =>
  filtersOf(runView, text === undefined ? input : { ...input, text: likeTextInJson(text) });
