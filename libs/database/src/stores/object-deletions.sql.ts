import { NOW_MS, STATEMENT_MS } from '../schema/schema.js';
import { perSchema, readStatement, txStatement } from '../statement.js';

/** Lifetime of a mark, within which its process deletes the object. */
const MARK_MS = 30_000;
/** Far longer than the time between storing an object and the row that refers to it. */
const KEPT_MS = 3_600_000;

export const OBJECT_MARKS = perSchema('object_deletions', (marks, schema) => {
  const name = `hashtextextended('${schema} object deletions ' || $1::int, 0)`;
  return {
    find: readStatement(
      { index: 'object_deletions_pkey' },
      `SELECT x.* FROM s, LATERAL (SELECT 1 FROM ${marks} t
       WHERE t.company_id = s.company AND t.object_key = $2 AND t.until > ${NOW_MS} OFFSET 0) x`,
    ),
    now: txStatement({ index: null }, `SELECT ${NOW_MS} AS now`),
    /** Serialises transactions that refer to objects with those that mark them. */
    lockToRefer: txStatement({ index: null }, `SELECT pg_advisory_xact_lock_shared(${name})`),
    lockToMark: txStatement({ index: null }, `SELECT pg_advisory_xact_lock(${name})`),
    findSince: txStatement(
      { index: 'object_deletions_pkey' },
      `SELECT 1 FROM ${marks} WHERE company_id = $1 AND object_key = ANY ($2::text[]) AND until >= $3 LIMIT 1`,
    ),
    forget: txStatement(
      { index: 'object_deletions_pkey' },
      `DELETE FROM ${marks} WHERE company_id = $1 AND until < ${STATEMENT_MS} - ${KEPT_MS}`,
    ),
    /** `unreferenced` selects the column `key` of those keys in `$2` that no row of company `$1` refers to. */
    mark: (unreferenced: string) =>
      txStatement(
        { index: 'object_deletions_pkey' },
        `INSERT INTO ${marks} AS t (company_id, object_key, until)
         SELECT $1, u.key, ${NOW_MS} + ${MARK_MS} FROM (${unreferenced}) u
         ON CONFLICT (company_id, object_key) DO UPDATE SET until = EXCLUDED.until RETURNING object_key`,
      ),
    end: txStatement(
      { index: 'object_deletions_pkey' },
      `UPDATE ${marks} SET until = ${NOW_MS} WHERE company_id = $1 AND object_key = ANY ($2::text[])`,
    ),
  };
});
