import { txStatement, workerStatement } from '@signalbox/database';
import { nameOf, primaryKeyOf, type RunTables, schemaOf } from '../run-tables.js';
import { holderSql, isHeldSql, sharedKindSql } from './held-kind.js';

const holdersOf = (schema: string): string => `"${schema}".secret_holders`;

const dead = (holders: string, kind: string): string => `NOT EXISTS (SELECT 1 FROM ${holders} h
      WHERE h.holder::text = ${holderSql(kind)} AND h.alive_until > now())`;

export type HolderStatements = ReturnType<typeof holderStatements>;

export function holderStatements(schema: string) {
  const holders = holdersOf(schema);
  return {
    renew: workerStatement(
      { index: 'secret_holders_pkey' },
      `INSERT INTO ${holders} (holder, alive_until, public_key)
       SELECT h, now() + $3 * interval '1 millisecond', CASE n WHEN 1 THEN $2 END
       FROM unnest($1::uuid[]) WITH ORDINALITY u(h, n) ORDER BY h
       ON CONFLICT (holder) DO UPDATE SET alive_until = EXCLUDED.alive_until, public_key = EXCLUDED.public_key`,
    ),
    release: workerStatement(
      { index: 'secret_holders_pkey' },
      `DELETE FROM ${holders} WHERE holder = ANY ($1::uuid[])`,
    ),
    successors: workerStatement(
      { index: null },
      `SELECT holder, public_key FROM ${holders}
       WHERE alive_until > now() AND public_key IS NOT NULL AND holder <> ALL ($1::uuid[]) ORDER BY since DESC`,
    ),
    releaseWork: workerStatement(
      { index: ['work_company_id_kind_ref_key', 'work_held'] },
      `UPDATE "${schema}".work w SET kind = ${sharedKindSql('w.kind')}, due_at = now(), fence = w.fence + 1,
         lease_owner = NULL, again_at = NULL
       WHERE w.done_at IS NULL AND ${isHeldSql('w.kind')} AND ${dead(holders, 'w.kind')}
         AND NOT EXISTS (SELECT 1 FROM "${schema}".work o
           WHERE o.company_id = w.company_id AND o.ref = w.ref AND o.kind = ${sharedKindSql('w.kind')})
       RETURNING 1 AS moved`,
    ),
    forget: workerStatement({ index: null }, `DELETE FROM ${holders} WHERE alive_until < now() - interval '1 hour'`),
  };
}

export type HeldHookStatements = NonNullable<ReturnType<typeof heldHookStatements>>;

/** Undefined when runs of the kind wait for no callback. */
export function heldHookStatements({ runs, hooks, key }: RunTables) {
  if (hooks === undefined) return undefined;
  const holders = holdersOf(schemaOf(runs));
  return {
    ofDead: workerStatement(
      { index: `${nameOf(hooks)}_held` },
      `SELECT DISTINCT k.company_id, k.${key} AS run_id FROM ${hooks} k
       WHERE ${isHeldSql('k.work_kind')} AND k.released_at IS NULL AND ${dead(holders, 'k.work_kind')} LIMIT 1000`,
    ),
    release: txStatement(
      { index: `${nameOf(hooks)}_of_step` },
      `UPDATE ${hooks} SET released_at = now() WHERE company_id = $1 AND ${key} = $2 AND released_at IS NULL`,
    ),
    openRun: txStatement(
      { index: primaryKeyOf(runs) },
      `SELECT 1 FROM ${runs} WHERE company_id = $1 AND id = $2 AND completed_at IS NULL`,
    ),
  };
}
