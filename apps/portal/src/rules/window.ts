export interface Window {
  /** The first drawn row, and the one after the last. */
  from: number;
  to: number;
  pages: number[];
}

const MARGIN = 8;

export function windowOf(
  scrollTop: number,
  height: number,
  rowHeight: number,
  total: number,
  pageSize: number,
): Window {
  const first = Math.floor(scrollTop / rowHeight);
  const from = Math.max(0, Math.min(first, total) - MARGIN);
  const to = Math.min(total, first + Math.ceil(height / rowHeight) + MARGIN);
  const pages = [];
  for (let page = Math.floor(from / pageSize); page * pageSize < Math.max(to, 1); page++) pages.push(page);
  return { from, to, pages };
}
