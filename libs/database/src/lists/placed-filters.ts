import type { Filter, View } from '../view.js';

const hasValue = ({ sql }: Filter): boolean => sql.includes('?');

/** Conditions of a composed statement, each after an AND, with their values as parameters from a number on. */
export function placedSql(filters: readonly Filter[], first: number): string {
  let at = first;
  return filters
    .map((filter) => ` AND ${hasValue(filter) ? filter.sql.replaceAll('?', `$${at++}`) : filter.sql}`)
    .join('');
}

/** The values of these parameters, in their order. */
export const placedValues = (filters: readonly Filter[]): unknown[] =>
  filters.filter(hasValue).map(({ value }) => value);

/** What a test plans of a statement with such conditions: none, each alone, and all together. */
export function filterVariants({ filters = {} }: Pick<View, 'filters'>): (readonly Filter[])[] {
  const each = Object.values(filters).map((sql) => ({ sql, value: null }));
  return [[], ...each.map((filter) => [filter]), each];
}
