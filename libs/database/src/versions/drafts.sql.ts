import { readStatement, type StatementUse, txStatement } from '../statement.js';

/** `snapshot` is SQL over a row `t` of the table of the parents. */
export const draftStatements = (use: StatementUse, table: string, snapshot: string) => ({
  find: readStatement(
    use,
    `SELECT d.snapshot FROM s, LATERAL (SELECT ${snapshot} AS snapshot FROM ${table} t
       WHERE t.company_id = s.company AND t.id = $2 AND t.deleted_at IS NULL OFFSET 0) d`,
  ),
  freeze: txStatement(use, `SELECT ${snapshot} AS snapshot FROM ${table} t WHERE t.company_id = $1 AND t.id = $2`),
});
