/** Cells that a spreadsheet would execute as a formula, after any number of apostrophes. */
const FORMULA = /^'*[=+\-@\t\r]/;
const GUARDED = /^'+[=+\-@\t\r]/;

/**
 * One record of CSV (RFC 4180), every cell quoted; null is an empty cell. A cell that a spreadsheet would execute begins
 * with an apostrophe, which `csvCell` removes.
 */
export const csvRecord = (cells: readonly (string | null)[]): string =>
  `${cells.map((cell) => (cell === null ? '' : quoted(FORMULA.test(cell) ? `'${cell}` : cell))).join(',')}\r\n`;

const quoted = (cell: string): string => `"${cell.replaceAll('"', '""')}"`;

/** The text that `csvRecord` has written into a cell, or that a spreadsheet keeps from being executed in the same way. */
export const csvCell = (cell: string): string => (GUARDED.test(cell) ? cell.slice(1) : cell);
