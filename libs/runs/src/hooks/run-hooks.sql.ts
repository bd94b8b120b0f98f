import { NOW_MS, readStatement, STATEMENT_MS, txStatement, workerStatement } from '@signalbox/database';
import { nameOf, primaryKeyOf, type RunTables } from '../run-tables.js';

export type HookStatements = NonNullable<ReturnType<typeof hookStatements>>;

/** Undefined when runs of the kind wait for no callback. */
export function hookStatements({ runs, hooks, key }: RunTables) {
  if (hooks === undefined) return undefined;
  const ofStep = `${nameOf(hooks)}_of_step`;
  const answered = `${nameOf(hooks)}_answer`;
  return {
    open: txStatement(
      { index: null },
      `INSERT INTO ${hooks} (company_id, hook_hash, ${key}, step_no, work_kind, expires_at)
       VALUES ($1, $2, $3, $4, $5, ${NOW_MS} + $6::bigint)`,
    ),
    expiry: txStatement(
      { index: ofStep },
      `SELECT max(expires_at) AS expires_at FROM ${hooks}
       WHERE company_id = $1 AND ${key} = $2 AND step_no = $3`,
    ),
    find: readStatement(
      { index: answered },
      `SELECT x.* FROM s, LATERAL (SELECT h.hook_hash, h.payload, h.sealed FROM ${hooks} h
         WHERE h.company_id = s.company AND h.${key} = $2 AND h.step_no = $3 AND h.answered_at IS NOT NULL OFFSET 0) x`,
    ),
    get: workerStatement(
      { index: `${nameOf(hooks)}_hash` },
      `SELECT company_id, ${key} AS run_id, hook_hash, work_kind FROM ${hooks} WHERE hook_hash = $1`,
    ),
    openRun: readStatement(
      { index: primaryKeyOf(runs) },
      `SELECT x.* FROM s, LATERAL (SELECT 1 FROM ${runs} t
         WHERE t.company_id = s.company AND t.id = $2 AND t.completed_at IS NULL OFFSET 0) x`,
    ),
    answer: txStatement(
      { index: [answered, primaryKeyOf(hooks)] },
      `UPDATE ${hooks} h SET answered_at = ${NOW_MS}, payload = $3, sealed = $4
       WHERE h.company_id = $1 AND h.hook_hash = $2 AND h.expires_at > ${STATEMENT_MS} AND NOT EXISTS (
         SELECT 1 FROM ${hooks} o WHERE o.company_id = $1 AND o.${key} = h.${key}
           AND o.step_no = h.step_no AND o.answered_at IS NOT NULL)
       RETURNING h.work_kind`,
    ),
    left: txStatement(
      { index: ofStep },
      `SELECT bool_or(answered_at IS NOT NULL) AS answered, max(expires_at) - ${NOW_MS} AS ms
       FROM ${hooks} WHERE company_id = $1 AND ${key} = $2 AND step_no = $3 HAVING count(*) > 0`,
    ),
    drop: txStatement(
      { index: ofStep },
      `DELETE FROM ${hooks} WHERE company_id = $1 AND ${key} = $2 AND step_no = $3 RETURNING 1`,
    ),
    answerOf: txStatement(
      { index: answered },
      `SELECT hook_hash, payload, sealed FROM ${hooks}
       WHERE company_id = $1 AND ${key} = $2 AND step_no = $3 AND answered_at IS NOT NULL`,
    ),
    resume: txStatement(
      { index: primaryKeyOf(runs) },
      `UPDATE ${runs} SET status = 'RUNNING', hook_expires_at = NULL
       WHERE company_id = $1 AND id = ANY ($2::uuid[])`,
    ),
  };
}
