import { rolesOf } from '@signalbox/database';
import { escapeLiteral, type Pool } from 'pg';

interface Node {
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: Node[];
}

const discardedBy = (node: Node): number =>
  node['Actual Loops'] * ((node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0)) +
  (node.Plans ?? []).reduce((sum, each) => sum + discardedBy(each), 0);

const literal = (value: unknown): string =>
  escapeLiteral(Array.isArray(value) ? `{${value.join(',')}}` : String(value));

/**
 * The rows that a statement reads or compares and does not need, the larger number of a plan for these values and one for
 * any values, which Postgres may choose after five executions.
 */
export async function discardedRows(
  sql: Pool,
  service: string,
  text: string,
  values: readonly unknown[],
): Promise<number> {
  const client = await sql.connect();
  try {
    const numbers: number[] = [];
    await client.query(`SET ROLE ${rolesOf(service).runtime}`);
    await client.query(`PREPARE listed AS ${text}`);
    for (const mode of ['force_custom_plan', 'force_generic_plan']) {
      await client.query(`SET plan_cache_mode = ${mode}`);
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(
        `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE listed(${values.map(literal).join(', ')})`,
      );
      numbers.push(discardedBy(rows[0]!['QUERY PLAN'][0].Plan));
    }
    return Math.max(...numbers);
  } finally {
    client.release(true);
  }
}
