import { txStatement } from '@signalbox/database';
import { primaryKeyOf, type RunTables } from '../run-tables.js';

interface WrittenRuns {
  tables: RunTables;
  columns: string;
  timelineColumns: readonly string[];
}

export function writeStatements({ tables, columns, timelineColumns }: WrittenRuns) {
  const { runs, events, key, parent } = tables;
  const byId = { index: primaryKeyOf(runs) };
  return {
    lock: txStatement(byId, `SELECT ${columns} FROM ${runs} t WHERE t.company_id = $1 AND t.id = $2 FOR NO KEY UPDATE`),
    lockToAppend: txStatement(
      byId,
      `SELECT ${['id', 'last_seq', 'status', ...timelineColumns].join(', ')} FROM ${runs} WHERE company_id = $1 AND id = $2 FOR NO KEY UPDATE`,
    ),
    insertEvents: txStatement(
      { index: null },
      `INSERT INTO ${events} (company_id, ${key}, seq, type, data, timestamp)
     SELECT $1, r, s, t, d, $6 FROM unnest($2::uuid[], $3::int[], $4::text[], $5::text[]::jsonb[]) u(r, s, t, d)`,
    ),
    lockAncestors:
      parent === undefined
        ? undefined
        : txStatement(
            byId,
            `WITH RECURSIVE ancestors AS (
       SELECT c.${parent} AS id FROM ${runs} c WHERE c.company_id = $1 AND c.id = $2
       UNION ALL
       SELECT c.${parent} FROM ancestors a JOIN ${runs} c ON c.company_id = $1 AND c.id = a.id)
     SELECT ${columns} FROM ${runs} t WHERE t.company_id = $1 AND t.id IN (SELECT id FROM ancestors)
     ORDER BY t.depth FOR NO KEY UPDATE OF t`,
          ),
  };
}
