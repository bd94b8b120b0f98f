import { composed, readStatement, type StatementUse, txStatement } from '@signalbox/database';
import { childIndexOf, primaryKeyOf, type RunTables } from '../run-tables.js';

const SLICE = 100;

export function cancelStatements({ tables, columns }: { tables: RunTables; columns: string }) {
  const { runs, parent } = tables;
  const byId = { index: primaryKeyOf(runs) };
  const lock = (condition: string): string =>
    `SELECT ${columns} FROM ${runs} t WHERE t.company_id = $1 AND ${condition} FOR NO KEY UPDATE`;
  return {
    /** With further columns that the run must have. */
    lock: composed(
      (...names: string[]) =>
        txStatement(byId, lock(`t.id = $2${names.map((name, index) => ` AND t.${name} = $${index + 3}`).join('')}`)),
      [],
      ['status'],
    ),
    lockQueued: txStatement(byId, lock(`t.id = $2 AND t.status = 'QUEUED'`)),
    lockOpenChildren:
      parent === undefined
        ? undefined
        : txStatement({ index: childIndexOf(tables) }, lock(`t.${parent} = ANY ($2) AND t.completed_at IS NULL`)),
  };
}

/** Ids of the open runs with a condition over `t`, for `cancelOpen`; its parameters are numbered from 2. */
export const openRuns = ({ runs }: RunTables, use: StatementUse, condition: string) =>
  readStatement(
    use,
    `SELECT x.* FROM s, LATERAL (SELECT t.id FROM ${runs} t
         WHERE t.company_id = s.company AND t.completed_at IS NULL AND ${condition} LIMIT ${SLICE} OFFSET 0) x`,
  );
