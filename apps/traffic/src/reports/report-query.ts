export interface ReportPage {
  offset: number;
  limit: number;
  search?: string;
  sort: string;
}

/** The largest number of rows of a CSV. */
export const MAX_CSV_ROWS = 100_000;

/** An order by serial numbers. */
export type Direction = 'ASC' | 'DESC';

/** The direction of a list. */
export const directionOf = (sort: string): Direction => (sort.startsWith('-') ? 'DESC' : 'ASC');

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
