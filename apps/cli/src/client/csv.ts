import type { Row } from './tables.js';

function field(value: unknown): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value as string | number | boolean);
  return /[",\r\n]/.test(text) || text !== text.trim() ? `"${text.replaceAll('"', '""')}"` : text;
}

/** RFC 4180. */
const line = (values: readonly unknown[]): string => `${values.map(field).join(',')}\r\n`;

const columnsOf = (rows: readonly Row[]): string[] => [...new Set(rows.flatMap((row) => Object.keys(row)))];

/** Without chosen columns those of the first rows and the known ones, which later rows may have. */
export class CsvLines {
  private columns: readonly string[] | undefined;
  private readonly leftOut = new Set<string>();

  constructor(
    private readonly chosen?: readonly string[],
    private readonly known: readonly string[] = [],
  ) {}

  of(rows: readonly Row[]): string {
    const head = this.columns === undefined;
    const columns = (this.columns ??= this.chosen ?? [...new Set([...columnsOf(rows), ...this.known])]);
    if (!this.chosen) for (const name of columnsOf(rows)) if (!columns.includes(name)) this.leftOut.add(name);
    return (head ? line(columns) : '') + rows.map((row) => line(columns.map((name) => row[name]))).join('');
  }

  /** Fields of later rows that have no column, because the head was written before they came. */
  get missing(): string[] {
    return [...this.leftOut];
  }
}
