export interface ReportPage {
  offset: number;
  limit: number;
  search?: string;
  sort: string;
}

export const MAX_CSV_ROWS = 100_000;

export type Direction = 'ASC' | 'DESC';

export const directionOf = (sort: string): Direction => (sort.startsWith('-') ? 'DESC' : 'ASC');

/** All rows are in memory. Days are ordered by date, other groups by count. */
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
