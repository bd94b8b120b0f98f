import type { InputOf, monitorRuns } from '@signalbox/contracts';
import { type Filter, filtersOf, likeTextInJson } from '@signalbox/database';
import { view } from './runs.sql.js';

type Filters = Partial<InputOf<typeof monitorRuns.endpoints.listAllMonitorRuns>>;

/** The conditions of a list of runs; `latest` is a version, and text is searched as it is inside of JSON. */
export function runFilters({ version, text, ...input }: Filters): Filter[] {
  return filtersOf(view, {
    ...input,
    ...(version === 'latest' ? { latest: null } : { version }),
    ...(text === undefined ? {} : { text: likeTextInJson(text) }),
  });
}
