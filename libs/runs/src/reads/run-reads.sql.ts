import { composed, readStatement, type StatementUse } from '@signalbox/database';
import { childIndexOf, primaryKeyOf, type RunTables } from '../run-tables.js';

interface ReadRuns {
  tables: RunTables;
  columns: string;
}

/** Runs with a condition over `t`, whose parameters are numbered from 2. */
export const runsWith = ({ tables, columns }: ReadRuns, use: StatementUse, condition: string) =>
  readStatement(
    use,
    `SELECT x.* FROM s, LATERAL (SELECT ${columns} FROM ${tables.runs} t
         WHERE t.company_id = s.company AND ${condition} OFFSET 0) x`,
  );

export function readStatements(rows: ReadRuns) {
  const { tables } = rows;
  const { runs, events, key, parent } = tables;
  const byId = { index: primaryKeyOf(runs) };
  return {
    load: runsWith(rows, byId, 't.id = $2'),
    /** With further columns that the run must have. */
    state: composed(
      (...names: string[]) => {
        const conditions = names.map((name, index) => ` AND t.${name} = $${index + 3}`).join('');
        return readStatement(
          byId,
          `SELECT x.* FROM s, LATERAL (SELECT t.status, t.last_seq FROM ${runs} t
         WHERE t.company_id = s.company AND t.id = $2${conditions} OFFSET 0) x`,
        );
      },
      [],
      ['status'],
    ),
    eventsAfter: readStatement(
      { index: primaryKeyOf(events) },
      `SELECT x.* FROM s, LATERAL (SELECT t.seq, t.type, t.data FROM ${events} t
         WHERE t.company_id = s.company AND t.${key} = $2 AND t.seq > $3 ORDER BY t.seq LIMIT $4 OFFSET 0) x ORDER BY x.seq`,
    ),
    endedAmong: readStatement(
      byId,
      `SELECT x.* FROM s, LATERAL (SELECT t.id FROM ${runs} t
         WHERE t.company_id = s.company AND t.id = ANY ($2::uuid[]) AND t.completed_at IS NOT NULL OFFSET 0) x`,
    ),
    progress: readStatement(
      parent ? { index: childIndexOf(tables) } : byId,
      `SELECT x.* FROM s, LATERAL (SELECT t.status, count(*)::int AS count FROM ${runs} t
         WHERE t.company_id = s.company AND t.${parent ?? 'id'} = $2 GROUP BY t.status OFFSET 0) x`,
    ),
  };
}
