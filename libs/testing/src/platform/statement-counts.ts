import type { Pool } from 'pg';

/** Its values are replaced by parameters. */
export interface CountedStatement {
  role: string;
  text: string;
  calls: number;
}

export const COUNTING = { shared_preload_libraries: 'pg_stat_statements' };

/** For a platform started with `COUNTING`. */
export class StatementCounts {
  private constructor(private readonly sql: Pool) {}

  static async on(sql: Pool): Promise<StatementCounts> {
    await sql.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
    return new StatementCounts(sql);
  }

  async reset(): Promise<void> {
    await this.sql.query('SELECT pg_stat_statements_reset()');
  }

  async read(): Promise<CountedStatement[]> {
    const { rows } = await this.sql.query<CountedStatement>(
      `SELECT r.rolname AS role, s.query AS text, s.calls::int AS calls FROM pg_stat_statements s
       JOIN pg_roles r ON r.oid = s.userid WHERE r.rolname <> current_user ORDER BY r.rolname, s.calls DESC`,
    );
    return rows;
  }
}
