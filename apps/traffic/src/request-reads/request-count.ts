import type { Filter } from '@signalbox/database';
import type { RequestCount } from '../analytics/index.js';
import { REQUEST } from '../request-records/index.js';

/** A multiple of days, so that no request is read for a partial one. */
const EVER = { start: 0, end: 8.64e15 };
const NARROWINGS = ['application_id', 'intent_id', 'intent_group_id', 'model', 'request_type'] as const;

const NAMES = new Map(Object.entries(REQUEST.filters ?? {}).map(([name, sql]) => [sql, name]));

/** The count by which roll-ups answer how many requests have these conditions; null where only the requests tell. */
export function countOf(conditions: readonly Filter[]): RequestCount | null {
  const given = new Map(conditions.map(({ sql, value }) => [NAMES.get(sql), value]));
  const take = (name: string): unknown => {
    const value = given.get(name);
    given.delete(name);
    return value;
  };
  const span = {
    start: (take('start_date') as number | undefined) ?? EVER.start,
    end: (take('end_date') as number | undefined) ?? EVER.end,
  };
  const narrowing = {
    request_type: 'any',
    ...Object.fromEntries(NARROWINGS.flatMap((name) => entryOf(name, take(name)))),
  };
  return given.size === 0 ? ({ span, narrowing } as RequestCount) : null;
}

const entryOf = (name: string, value: unknown): [string, unknown][] => (value === undefined ? [] : [[name, value]]);
