import type { InputOf, monitorRuns } from '@signalbox/contracts';

type Filters = Partial<InputOf<typeof monitorRuns.endpoints.listAllMonitorRuns>>;

/** A condition over a run `t`; `?` stands for the value. */
interface Condition {
  sql: string;
  value: unknown;
}

/** Filters of lists and the conditions over a run `t` that they stand for. */
const CONDITIONS: readonly (readonly [keyof Filters, string])[] = [
  ['monitor_id', 't.monitor_id = ?'],
  ['outcome', 't.outcome = ANY(?::text[])'],
  ['failure_class', 't.failure_class = ANY(?::text[])'],
  ['monitor_target_id', 't.monitor_target_id = ANY(?::int[])'],
  ['source_type', 't.source_type = ANY(?::text[])'],
  ['shadow', 't.shadow = ?::boolean'],
  ['min_duration_ms', 't.runner_duration_ms >= ?'],
  ['min_cost', 't.cost >= ?'],
  ['start_date', 't.date_created >= ?'],
  ['end_date', 't.date_created < ?'],
];

const LATEST = `EXISTS (SELECT 1 FROM monitors.monitor_versions v
  WHERE v.company_id = t.company_id AND v.id = t.monitor_version_id AND v.is_latest)`;

/** The conditions of the filters of a list of runs. */
export function filtersOf(input: Filters): Condition[] {
  const { version } = input;
  const filters: Condition[] = CONDITIONS.flatMap(([name, sql]) =>
    input[name] === undefined ? [] : [{ sql, value: input[name] }],
  );
  if (version === 'latest') filters.push({ sql: LATEST, value: null });
  else if (version !== undefined) filters.push({ sql: 't.version_number = ?', value: version });
  return filters;
}
