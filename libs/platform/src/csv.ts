/** Cells that a spreadsheet would execute as a formula, after any number of apostrophes. */
const FORMULA = /^'*[=+\-@\t\r]/;
const GUARDED = /^'+[=+\-@\t\r]/;

/**
 * RFC 4180, every cell quoted; null is an empty cell. A cell that a spreadsheet would execute gets an apostrophe, which
 * `csvCell` removes.
 */
export const csvRecord = (cells: readonly (string | null)[]): string =>
  `${cells.map((cell) => (cell === null ? '' : quoted(FORMULA.test(cell) ? `'${cell}` : cell))).join(',')}\r\n`;

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

/** The inverse of `csvRecord`; also for apostrophes that a spreadsheet has added. */
export const csvCell = (cell: string): string => (GUARDED.test(cell) ? cell.slice(1) : cell);
