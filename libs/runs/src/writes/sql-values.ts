/** An SQL expression used as a value in a write. */
export class Sql {
  constructor(readonly text: string) {}
}

/** Columns of a row with their new values or SQL expressions. Column names come from code, never from input. */
export type ColumnValues = Readonly<Record<string, unknown>>;

/** Returns the columns, the SQL of their values and the parameters, which are numbered from `first`. */
export function columnsOf(
  values: ColumnValues,
  first: number,
): { columns: string[]; sql: string[]; params: unknown[] } {
  const params: unknown[] = [];
  const sql = Object.values(values).map((value) => {
    if (value instanceof Sql) return value.text;
    params.push(value);
    return `$${first + params.length - 1}`;
  });
  return { columns: Object.keys(values), sql, params };
}

/** The assignments of an UPDATE; parameters are numbered from `first`. */
export function assignments(values: ColumnValues, first: number): string {
  const { columns, sql } = columnsOf(values, first);
  return columns.map((name, index) => `${name} = ${sql[index]}`).join(', ');
}
