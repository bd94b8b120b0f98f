import { ApiError } from '@signalbox/contracts';
import type { Tx } from '../tx.js';
import type { SelectedRows } from '../view.js';

/** The offset from which a list refuses. */
export const MAX_OFFSET = 1_000_000;
/** What a client does instead. */
export const OFFSET_RULE = `must be at most ${MAX_OFFSET}: filter by a span of dates to see what is further down`;

/** What a client does when a list is searched for too long. */
export const LIST_TIMEOUT = 'too many rows are read for this list: narrow it by a span of dates or another filter';

/** Up to so many rows that filters select are counted however long it takes. */
const COUNTED = 100_000;
/** How long the exact count of more rows may take. */
const COUNT_MS = 250;

/** The number of rows of a list, or what the planner expects. */
export interface Total {
  total: number;
  isEstimate: boolean;
}

/** Runs a transaction of the company of the list. */
type Run = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/** Counts the rows of a list; an estimate where filters select many of them and counting takes long. */
export async function totalOf({ from, values, areNarrowed }: SelectedRows, company: number, run: Run): Promise<Total> {
  const all = [company, ...values];
  const count = async (tx: Tx, rows: string): Promise<number> => {
    const [row] = await tx.query<{ total: number }>(`SELECT count(*) AS total FROM ${rows}`, all);
    return row?.total ?? 0;
  };
  if (!areNarrowed) return { total: await run((tx) => count(tx, from)), isEstimate: false };
  const counted = await run((tx) => count(tx, `(SELECT 1 FROM ${from} LIMIT ${COUNTED + 1}) c`));
  if (counted <= COUNTED) return { total: counted, isEstimate: false };
  try {
    const total = await run(async (tx) => {
      await tx.query(`SET LOCAL statement_timeout = ${COUNT_MS}`);
      return count(tx, from);
    });
    return { total, isEstimate: false };
  } catch (error) {
    if (!(error instanceof ApiError && error.kind === 'timeout')) throw error;
  }
  const [plan] = await run((tx) =>
    tx.query<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>(`EXPLAIN (FORMAT JSON) SELECT 1 FROM ${from}`, all),
  );
  return { total: Math.max(COUNTED + 1, plan?.['QUERY PLAN'][0].Plan['Plan Rows'] ?? 0), isEstimate: true };
}

/** The text of a page with another total; `pagination` is its last field. */
export function withTotal(page: string, { total, isEstimate }: Total, offset: number, limit: number): string {
  const pagination = { total, offset, limit, ...(isEstimate ? { total_is_estimate: true } : {}) };
  return `${page.slice(0, page.lastIndexOf('"pagination"'))}"pagination" : ${JSON.stringify(pagination)}}`;
}
