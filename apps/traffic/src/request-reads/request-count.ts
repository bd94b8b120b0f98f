import type { Filter } from '@signalbox/database';
import type { RequestCount } from '../analytics/index.js';
import { REQUEST } from '../request-records/index.js';

/** A multiple of days, so that no rows of requests are read for a partial day. */
const EVER = { start: 0, end: 8.64e15 };
const NARROWINGS = ['application_id', 'intent_id', 'intent_group_id', 'model', 'request_type'] as const;

const NAMES = new Map(Object.entries(REQUEST.filters ?? {}).map(([name, sql]) => [sql, name]));

export interface TaggedCount {
  span: RequestCount['span'];
  tagIds: readonly number[];
}

/** `take` removes a condition, so that what is left tells whether all were used. */
class Given {
  private readonly values: Map<string | undefined, unknown>;

  constructor(conditions: readonly Filter[]) {
    this.values = new Map(conditions.map(({ sql, value }) => [NAMES.get(sql), value]));
  }

  take(name: string): unknown {
    const value = this.values.get(name);
    this.values.delete(name);
    return value;
  }

  takeSpan(): RequestCount['span'] {
    return {
      start: (this.take('start_date') as number | undefined) ?? EVER.start,
      end: (this.take('end_date') as number | undefined) ?? EVER.end,
    };
  }

  get isEmpty(): boolean {
    return this.values.size === 0;
  }
}

/** The count that rollups can answer; null when the conditions need the requests themselves. */
export function countOf(conditions: readonly Filter[]): RequestCount | null {
  const given = new Given(conditions);
  const span = given.takeSpan();
  const narrowing = {
    request_type: 'any',
    ...Object.fromEntries(NARROWINGS.flatMap((name) => entryOf(name, given.take(name)))),
  };
  return given.isEmpty ? ({ span, narrowing } as RequestCount) : null;
}

/** The count that the assignments of tags can answer; null for other conditions. */
export function taggedCountOf(conditions: readonly Filter[]): TaggedCount | null {
  const given = new Given(conditions);
  const span = given.takeSpan();
  const tagIds = (given.take('tag_ids') ?? given.take('tagged')) as readonly number[] | undefined;
  return tagIds !== undefined && given.isEmpty ? { span, tagIds } : null;
}

const entryOf = (name: string, value: unknown): [string, unknown][] => (value === undefined ? [] : [[name, value]]);
