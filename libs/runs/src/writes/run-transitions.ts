import { NOW_MS, type Tx } from '@signalbox/database';
import { runsEnded } from '@signalbox/platform';
import type { LockedRun, RunFailure, RunKind } from '../run-kind.js';
import { wakeParent } from './run-parent.js';
import { type ColumnValues, columnsOf, Sql } from './sql-values.js';

/** The time of the database, in epoch milliseconds. */
export const NOW = new Sql(NOW_MS);

/** A run before it is accepted. */
export interface NewRun {
  id: string;
  /** All other columns of its row. */
  values: ColumnValues;
  /** Kind of its work, with the holder id of its secrets when it has any. */
  workKind: string;
  delayMs?: number;
  /** True for a run that waits until work is added for it, or that the worker of its parent executes. */
  withoutWork?: boolean;
}

/** Inserts a run with its first lifecycle event and, unless it is accepted without, its work. */
export async function acceptRun<Run extends LockedRun, Trigger extends string, RunRecord extends object>(
  tx: Tx,
  kind: RunKind<Run, Trigger, RunRecord>,
  { id, values, workKind, delayMs, withoutWork = false }: NewRun,
): Promise<void> {
  const { columns, sql, params } = columnsOf(values, 4);
  const [record] = await tx.query<RunRecord>(
    `INSERT INTO ${kind.tables.runs} AS t (company_id, id, work_kind, ${columns.join(', ')})
     VALUES ($1, $2, $3, ${sql.join(', ')}) RETURNING ${kind.record}`,
    [tx.companyId, id, workKind, ...params],
  );
  if (record) tx.emit(...kind.lifecycle(null, record));
  if (!withoutWork) tx.addWork(workKind, id, delayMs);
}

/**
 * Changes the state of a locked run together with other columns, and emits the lifecycle event of the change. The end
 * of a run also makes its waiting parent due. Throws 409 when the state does not allow the change.
 */
export async function moveRun<Run extends LockedRun, Trigger extends string, RunRecord extends object>(
  tx: Tx,
  kind: RunKind<Run, Trigger, RunRecord>,
  run: Run,
  trigger: Trigger,
  values: ColumnValues = {},
): Promise<{ status: Run['status']; record: RunRecord }> {
  const status = kind.states.move(run, trigger);
  const ends = kind.states.isTerminal(status);
  const set = columnsOf({ ...(ends ? { completed_at: NOW } : {}), ...values }, 4);
  const [record] = await tx.query<RunRecord>(
    `UPDATE ${kind.tables.runs} t SET ${['status = $3', ...set.columns.map((name, at) => `${name} = ${set.sql[at]}`)].join(', ')}
     WHERE t.company_id = $1 AND t.id = $2 RETURNING ${kind.record}`,
    [tx.companyId, run.id, status, ...set.params],
  );
  if (!record) throw new Error(`${kind.noun} ${run.id} does not exist`);
  tx.emit(...kind.lifecycle(trigger, record));
  if (ends) {
    if (!kind.inlineChildren) await wakeParent(tx, kind, run);
    await kind.ended?.(tx, run);
    runsEnded.inc({ kind: kind.work, status, failure_class: failureClassOf(values) });
  }
  return { status, record };
}

const failureClassOf = ({ failure_class }: Partial<RunFailure>): string => failure_class ?? 'none';
