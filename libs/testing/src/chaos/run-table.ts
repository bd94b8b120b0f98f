import type { Pool } from 'pg';

/** The table of a kind of run, as chaos reads it past the services. */
export interface RunTable {
  /** With its schema. */
  name: string;
  /** The column with the id of the parent. */
  parent: string;
}

export const TASK_TABLE: RunTable = { name: 'agents.tasks', parent: 'parent_task_id' };

/** How many runs of a company have not ended, nested ones included. */
export async function unfinished(sql: Pool, companyId: number, { name }: RunTable): Promise<number> {
  const { rows } = await sql.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM ${name}
     WHERE company_id = $1 AND status NOT IN ('COMPLETED', 'FAILED', 'TIMED_OUT', 'CANCELLED')`,
    [companyId],
  );
  return rows[0]?.n ?? 0;
}
