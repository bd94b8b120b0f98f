/** One record of CSV (RFC 4180), every cell quoted; null is an empty cell. */
export const csvRecord = (cells: readonly (string | null)[]): string =>
  `${cells.map((cell) => (cell === null ? '' : `"${cell.replaceAll('"', '""')}"`)).join(',')}\r\n`;
