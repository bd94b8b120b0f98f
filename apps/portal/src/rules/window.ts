/** What of a long list is in the document. */
export interface Window {
  /** The first row that is drawn, and the one after the last. */
  from: number;
  to: number;
  /** The pages that hold these rows. */
  pages: number[];
}

/** Rows that are drawn above and below what is seen. */
const MARGIN = 8;

/** The rows that are seen at a scroll position, with a margin, and the pages to load for them. */
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
