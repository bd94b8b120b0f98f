import type { InputOf, monitorRuns } from '@signalbox/contracts';
import { type Filter, likeTextInJson } from '@signalbox/database';

type Filters = Partial<InputOf<typeof monitorRuns.endpoints.listAllMonitorRuns>>;

/** Filters of lists and the conditions over a run `t` that they stand for. */
const CONDITIONS: readonly (readonly [keyof Filters, string])[] = [
  ['monitor_id', 't.monitor_id = ?'],
  ['outcome', 't.outcome = ANY(?::text[])'],
  ['failure_class', 't.failure_class = ANY(?::text[])'],
  ['monitor_target_id', 't.monitor_target_id = ANY(?::int[])'],
  ['source_type', 't.source_type = ANY(?::text[])'],
  ['release', 't.release = ?'],
  ['shadow', 't.shadow = ?::boolean'],
  ['min_duration_ms', 't.runner_duration_ms >= ?'],
  ['min_cost', 't.cost >= ?'],
  ['start_date', 't.date_created >= ?'],
  ['end_date', 't.date_created < ?'],
];

const LATEST = `EXISTS (SELECT 1 FROM monitors.monitor_versions v
  WHERE v.company_id = t.company_id AND v.id = t.monitor_version_id AND v.is_latest)`;

/** The value is a pattern of escaped text, as it is inside of JSON. */
const TEXT = `(t.runner_output::text ILIKE ? OR t.resolution_trace::text ILIKE ? OR to_json(t.error_message)::text ILIKE ?)`;

/** The conditions of the filters of a list of runs. */
export function filtersOf(input: Filters): Filter[] {
  const { version, text } = input;
  const filters: Filter[] = CONDITIONS.flatMap(([name, sql]) =>
    input[name] === undefined ? [] : [{ sql, value: input[name] }],
  );
  if (version === 'latest') filters.push({ sql: LATEST, value: null });
  else if (version !== undefined) filters.push({ sql: 't.version_number = ?', value: version });
  if (text !== undefined) filters.push({ sql: TEXT, value: likeTextInJson(text) });
  return filters;
}
