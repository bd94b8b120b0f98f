import type { Pool } from 'pg';

export interface RunTable {
  name: string;
  parent: string;
}

export const TASK_TABLE: RunTable = { name: 'agents.tasks', parent: 'parent_task_id' };

/** Including nested ones. */
export async function unfinished(sql: Pool, companyId: number, { name }: RunTable): Promise<number> {
  const { rows } = await sql.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM ${name}
     WHERE company_id = $1 AND status NOT IN ('COMPLETED', 'FAILED', 'TIMED_OUT', 'CANCELLED')`,
    [companyId],
  );
  return rows[0]?.n ?? 0;
}
