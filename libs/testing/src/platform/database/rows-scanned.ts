import type { Client } from 'pg';

interface Plan {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

const scanned = (plan: Plan): number => {
  const { 'Relation Name': table, 'Rows Removed by Filter': dropped = 0 } = plan;
  const own = table === undefined ? 0 : (plan['Actual Rows'] + dropped) * plan['Actual Loops'];
  return (plan.Plans ?? []).reduce((sum, each) => sum + scanned(each), own);
};

/** How many rows of tables a statement reads, whatever the machine. */
export async function rowsScanned(client: Client, text: string, values: readonly unknown[]): Promise<number> {
  const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
    `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${text}`,
    [...values],
  );
  return scanned(rows[0]!['QUERY PLAN'][0].Plan);
}
