import type { Platform } from '@signalbox/testing';

const SLICE = 250_000;

/** The rows of one table. */
interface Filled {
  table: string;
  insert: string;
  count: number;
  values: readonly unknown[];
  triggers?: boolean;
}

/**
 * Inserts rows 1..count of one table in slices: `$1` is the company, `$2` and `$3` the first and last row of the slice,
 * the values follow. Indexes that are not unique are built afterwards, as a restore does; triggers fire if they are asked for.
 */
export async function fill(
  platform: Platform,
  { table, insert, count, values, triggers = false }: Filled,
): Promise<void> {
  const client = await platform.sql.connect();
  try {
    await client.query('SET statement_timeout = 0; SET maintenance_work_mem = 524288');
    if (!triggers) await client.query('SET session_replication_role = replica');
    const { rows: indexes } = await client.query<{ name: string; definition: string }>(
      `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition FROM pg_index i
       WHERE i.indrelid = $1::regclass AND NOT i.indisunique`,
      [table],
    );
    for (const { name } of indexes) await client.query(`DROP INDEX ${name}`);
    for (let from = 1; from <= count; from += SLICE)
      await client.query(insert, [values[0], from, Math.min(count, from + SLICE - 1), ...values.slice(1)]);
    for (const { definition } of indexes) await client.query(definition);
    await client.query(`VACUUM (ANALYZE) ${table}`);
  } finally {
    client.release(true);
  }
}
