import type { Row } from './tables.js';

/** A value as a field of a line: a list or object as JSON, null as nothing. */
function field(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}

/** One line of values separated by commas, as RFC 4180 says. */
const line = (values: readonly unknown[]): string => `${values.map(field).join(',')}\r\n`;

/** Every field of the records. */
const columnsOf = (rows: readonly Row[]): string[] => [...new Set(rows.flatMap((row) => Object.keys(row)))];

/** Records as lines below the names of their fields, by default of those that the first part has. */
export class CsvLines {
  private columns: readonly string[] | undefined;

  constructor(columns?: readonly string[]) {
    this.columns = columns;
  }

  private hasHead = false;

  /** The lines of a part, the first time below the names. */
  of(rows: readonly Row[]): string {
    const columns = (this.columns ??= columnsOf(rows));
    const head = this.hasHead ? '' : line(columns);
    this.hasHead = true;
    return head + rows.map((row) => line(columns.map((name) => row[name]))).join('');
  }
}
