import type { CompanySettings } from '@signalbox/contracts';
import { companiesWith, STATEMENT_MS, txStatement, workerStatement } from '@signalbox/database';
import { childIndexOf, nameOf, primaryKeyOf, type RunTables, timelineIndexOf } from '../run-tables.js';

export const DAY_MS = 86_400_000;
/** Runs and sessions per transaction; runs go with those below them. */
export const BATCH = 200;
/** Rows per statement: a run may have thousands of events. */
export const SLICE = 10_000;

export interface RunRetentionRule {
  setting: keyof CompanySettings['retention_days'];
  /** Tables besides `tables` with rows of runs, which their primary keys find by the run. */
  parts: readonly string[];
  /** Sessions expire after their last activity once no run names them in `column`. */
  sessions?: { table: string; column: string };
}

export type RetentionStatements = NonNullable<ReturnType<typeof retentionStatements>>;
export type SessionStatements = ReturnType<typeof sessionStatements>;

/** Undefined when only users delete runs. */
export const retentionStatements = (tables: RunTables, rule?: RunRetentionRule) =>
  rule && {
    companies: companiesWithOld(tables, rule),
    oldest: oldest(tables),
    deletes: deletes(tables, rule),
    sessions: rule.sessions && sessionStatements(tables, rule.sessions),
  };

/** With runs or sessions older than the shortest time that can be set. */
function companiesWithOld({ runs }: RunTables, { sessions }: RunRetentionRule) {
  const older = (column: string): string => `t.${column} < ${STATEMENT_MS} - ${DAY_MS}`;
  const sources = [companiesWith(runs, older('completed_at'))];
  if (sessions) sources.push(companiesWith(sessions.table, older('last_activity')));
  const index = [
    primaryKeyOf(runs),
    `${nameOf(runs)}_ended`,
    ...(sessions ? [`${nameOf(sessions.table)}_active`] : []),
  ];
  return workerStatement({ index }, sources.map((source) => `(${source})`).join(' UNION '));
}

function oldest(tables: RunTables) {
  const { runs, parent } = tables;
  const top = parent ? `t.${parent} IS NULL AND` : '';
  const below = parent
    ? `UNION ALL SELECT c.id, f.top, c.completed_at FROM family f
         JOIN ${runs} c ON c.company_id = $1 AND c.${parent} = f.id`
    : '';
  return txStatement(
    // As long as the table is small, runs without a parent are found by the same index as those below them.
    { index: parent ? childIndexOf(tables) : `${nameOf(runs)}_ended` },
    `WITH RECURSIVE oldest AS (
           SELECT t.id, t.completed_at FROM ${runs} t
           WHERE t.company_id = $1 AND ${top} t.completed_at < ${STATEMENT_MS} - $2::bigint * ${DAY_MS}
             AND (t.completed_at, t.id) > ($3, $4)
           ORDER BY t.completed_at, t.id LIMIT $5),
         family AS (SELECT id, id AS top, completed_at FROM oldest ${below})
         SELECT id, top, completed_at FROM family LIMIT $6`,
  );
}

/** In this order. */
function deletes(tables: RunTables, { parts }: RunRetentionRule) {
  const { runs, events, timeline, hooks, key } = tables;
  const slice = (table: string, index: string, column = key) =>
    txStatement(
      { index },
      `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT ctid FROM ${table} WHERE company_id = $1 AND ${column} = ANY ($2::uuid[]) LIMIT ${SLICE})) RETURNING 1`,
    );
  return [
    slice(events, primaryKeyOf(events)),
    slice(timeline, timelineIndexOf(tables)),
    ...(hooks ? [slice(hooks, `${nameOf(hooks)}_of_step`)] : []),
    ...parts.map((part) => slice(part, primaryKeyOf(part))),
    slice(runs, primaryKeyOf(runs), 'id'),
  ];
}

function sessionStatements({ runs }: RunTables, { table, column }: NonNullable<RunRetentionRule['sessions']>) {
  return {
    old: txStatement(
      { index: `${nameOf(table)}_active` },
      `SELECT id, last_activity FROM ${table} WHERE company_id = $1 AND (last_activity, id) > ($2, $3)
             AND last_activity < ${STATEMENT_MS} - $4::bigint * ${DAY_MS}
           ORDER BY last_activity, id LIMIT ${BATCH} FOR UPDATE SKIP LOCKED`,
    ),
    deleteUnused: txStatement(
      { index: [primaryKeyOf(table), `${nameOf(runs)}_of_session`] },
      `DELETE FROM ${table} t WHERE t.company_id = $1 AND t.id = ANY ($2::int[]) AND NOT EXISTS (
             SELECT 1 FROM ${runs} r WHERE r.company_id = $1 AND r.${column} = t.id)`,
    ),
  };
}
