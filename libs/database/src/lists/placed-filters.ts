import type { Filter, View } from '../view.js';

const hasValue = ({ sql }: Filter): boolean => sql.includes('?');

/** Conditions, each after an AND; their parameters are numbered from `first`. */
export function placedSql(filters: readonly Filter[], first: number): string {
  let at = first;
  return filters
    .map((filter) => ` AND ${hasValue(filter) ? filter.sql.replaceAll('?', `$${at++}`) : filter.sql}`)
    .join('');
}

export const placedValues = (filters: readonly Filter[]): unknown[] =>
  filters.filter(hasValue).map(({ value }) => value);

export function filterVariants({ filters = {} }: Pick<View, 'filters'>): (readonly Filter[])[] {
  const each = Object.values(filters).map((sql) => ({ sql, value: null }));
  return [[], ...each.map((filter) => [filter]), each];
}
