import { ApiError } from '@signalbox/contracts';
import type { Tx } from '../tx.js';
import { COUNTED, type CountedRows } from '../view.js';

/** The offset from which a list refuses. */
export const MAX_OFFSET = 1_000_000;
/** What a client does instead. */
export const OFFSET_RULE = `must be at most ${MAX_OFFSET}: filter by a span of dates to see what is further down`;

/** How long the exact count of more rows may take. */
const COUNT_MS = 1000;

/** The number of rows of a list, or what the planner expects. */
export interface Total {
  total: number;
  isEstimate: boolean;
}

/** Runs a transaction of the company of the list. */
type Run = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>;

/** Counts the rows of a list with more than `COUNTED`; an estimate when that takes long. */
export async function totalOf({ from, values }: CountedRows, company: number, run: Run): Promise<Total> {
  const all = [company, ...values];
  try {
    const total = await run(async (tx) => {
      await tx.query(`SET LOCAL statement_timeout = ${COUNT_MS}`);
      const [row] = await tx.query<{ total: number }>(`SELECT count(*) AS total FROM ${from}`, all);
      return row?.total ?? 0;
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
