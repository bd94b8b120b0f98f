import type { Row } from './tables.js';

function field(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}

/** RFC 4180. */
const line = (values: readonly unknown[]): string => `${values.map(field).join(',')}\r\n`;

const columnsOf = (rows: readonly Row[]): string[] => [...new Set(rows.flatMap((row) => Object.keys(row)))];

export class CsvLines {
  private columns: readonly string[] | undefined;

  constructor(columns?: readonly string[]) {
    this.columns = columns;
  }

  private hasHead = false;

  of(rows: readonly Row[]): string {
    const columns = (this.columns ??= columnsOf(rows));
    const head = this.hasHead ? '' : line(columns);
    this.hasHead = true;
    return head + rows.map((row) => line(columns.map((name) => row[name]))).join('');
  }
}
