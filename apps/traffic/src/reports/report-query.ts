import { type Span, spanOf } from '../analytics/index.js';

/** The date range and the place of a report. */
export interface ReportScope {
  start_date?: number;
  end_date?: number;
  application_id?: number;
  intent_id?: number;
}

/** A page of a report. */
export interface ReportPage {
  offset: number;
  limit: number;
  search?: string;
  sort: string;
}

/** The conditions of a report and their values; `$1` is the company. */
export class ReportConditions {
  readonly values: unknown[] = [];
  private readonly conditions: string[];
  readonly span: Span;

  /** `base` are conditions that every row of the report meets, over the request `t`. */
  constructor(scope: ReportScope, base: readonly string[]) {
    this.span = spanOf(scope, Date.now());
    this.conditions = [`t.company_id = s.company`, `t.request_type IN ('PROD', 'MANUAL')`, ...base];
    this.add('t.date_created >= ?', this.span.start);
    this.add('t.date_created < ?', this.span.end);
    this.add('t.application_id = ?', scope.application_id);
    this.add('t.intent_id = ?', scope.intent_id);
  }

  /** Adds a condition with a value; none without a value. */
  add(sql: string, value: unknown): this {
    if (value !== undefined) this.conditions.push(sql.replaceAll('?', this.place(value)));
    return this;
  }

  /** The parameter of a value. */
  place(value: unknown): string {
    return `$${this.values.push(value) + 1}`;
  }

  get where(): string {
    return this.conditions.join(' AND ');
  }
}

/** The largest number of rows of a CSV. */
export const MAX_CSV_ROWS = 100_000;

/** The direction of a list. */
export const directionOf = (sort: string): 'ASC' | 'DESC' => (sort.startsWith('-') ? 'DESC' : 'ASC');

/** The day of a request, UTC. */
export const DAY = `to_char(to_timestamp(t.date_created / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD')`;

/** One page of rows that are all in memory; days are in their order, other groups by their count. */
export function pageOf<Row extends { key: string; label: string }>(
  rows: readonly Row[],
  { offset, limit, search = '', sort }: ReportPage,
  countOf: (row: Row) => number,
  byKey: boolean,
) {
  const sign = directionOf(sort) === 'DESC' ? -1 : 1;
  const order = (one: Row, other: Row): number =>
    (byKey ? 0 : sign * (countOf(one) - countOf(other))) || sign * (one.key < other.key ? -1 : 1);
  const found = rows.filter(({ label }) => label.toLowerCase().includes(search.toLowerCase())).sort(order);
  return { data: found.slice(offset, offset + limit), pagination: { total: found.length, offset, limit } };
}
