import { ApiError } from '@signalbox/contracts';
import type { Tx } from '../tx.js';
import type { SelectedRows } from '../view.js';

export const MAX_OFFSET = 1_000_000;
export const OFFSET_RULE = `must be at most ${MAX_OFFSET}: filter by a span of dates to see what is further down`;

export const LIST_TIMEOUT = 'too many rows are read for this list: narrow it by a span of dates or another filter';

/** Up to this many filtered rows are counted exactly, whatever it takes. */
const COUNTED = 100_000;
/** Milliseconds that the exact count of more rows may take. */
const COUNT_MS = 250;

/** An estimate is that of the query planner. */
export interface Total {
  total: number;
  isEstimate: boolean;
}

type Run = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/** Exact, unless filters select many rows and counting them takes too long. */
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

/** Replaces the total of a page; relies on `pagination` being its last field. */
export function withTotal(page: string, { total, isEstimate }: Total, offset: number, limit: number): string {
  const pagination = { total, offset, limit, ...(isEstimate ? { total_is_estimate: true } : {}) };
  return `${page.slice(0, page.lastIndexOf('"pagination"'))}"pagination" : ${JSON.stringify(pagination)}}`;
}
