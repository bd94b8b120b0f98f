import type { Pool } from 'pg';

interface Read {
  name: string;
  sequential: number;
  indexed: number;
}

/**
 * How many rows the statements of services have read from the tables of a schema, as Postgres counts them. A connection
 * reports when it ends: read the numbers of a service after its end.
 */
export class RowsRead {
  constructor(private readonly sql: Pool) {}

  async reset(): Promise<void> {
    await this.sql.query('SELECT pg_stat_reset()');
  }

  /** The tables of which more rows than `most` were read since the last reset, each with what was read. */
  async above(schema: string, most: number): Promise<string[]> {
    const { rows } = await this.sql.query<Read>(
      `SELECT t.relname AS name, t.seq_tup_read::int AS sequential,
         (SELECT COALESCE(sum(i.idx_tup_read), 0)::int FROM pg_stat_user_indexes i WHERE i.relid = t.relid) AS indexed
       FROM pg_stat_user_tables t WHERE t.schemaname = $1 ORDER BY 1`,
      [schema],
    );
    return rows
      .filter(({ sequential, indexed }) => sequential > most || indexed > most)
      .map(({ name, sequential, indexed }) => `${name}: ${sequential} rows sequentially, ${indexed} by indexes`);
  }
}
