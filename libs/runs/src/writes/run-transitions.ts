import type { StreamEvent } from '@signalbox/contracts';
import { NOW_MS, type Tx } from '@signalbox/database';
import { runsEnded } from '@signalbox/platform';
import type { RunEvent } from '../run-event.js';
import {
  type ColumnValues,
  type DirectStart,
  type LockedRun,
  type RunFailure,
  type RunKind,
  type RunStart,
  Sql,
} from '../run-kind.js';
import { assignments, columnsOf, logOf, runTogether, type StatementPart } from './run-log.js';

/** Epoch ms of the database. */
export const NOW = new Sql(NOW_MS);

export interface NewRun {
  id: string;
  values: ColumnValues;
  /** Includes the holder id of its secrets when it has any. */
  workKind: string;
  delayMs?: number;
  /** The run waits until work is added for it, or the worker of its parent executes it. */
  withoutWork?: boolean;
  /**
   * Used when the kind has a `directStart` and this process a free slot; null while the run has to stay queued. Without
   * it a worker starts the run.
   */
  start?: () => Promise<RunStart | null>;
}

export interface AcceptedRun {
  /** Null for a run that a worker starts later. */
  loaded: Readonly<Record<string, unknown>> | null;
}

/**
 * Inserts a run with its lifecycle event, first events and job, if it has one; starts it when its kind and this process
 * allow it.
 */
export async function acceptRun<Run extends LockedRun, Trigger extends string, RunRecord extends object>(
  tx: Tx,
  kind: RunKind<Run, Trigger, RunRecord>,
  run: NewRun,
  runEvents: readonly RunEvent[],
): Promise<AcceptedRun> {
  const { id, workKind, delayMs, withoutWork = false } = run;
  const isClaimed = !withoutWork && tx.addWork(workKind, id, delayMs);
  const started = isClaimed && kind.directStart ? await run.start?.() : null;
  if (started && kind.directStart) return acceptStarted(tx, kind, kind.directStart, run, started, runEvents);
  const record = await insertRun<RunRecord>(tx, kind, run, runEvents, kind.record);
  tx.emit(...kind.lifecycle(null, record));
  return { loaded: null };
}

async function acceptStarted<Run extends LockedRun, Trigger extends string, RunRecord extends object>(
  tx: Tx,
  kind: RunKind<Run, Trigger, RunRecord>,
  start: DirectStart<Trigger, RunRecord>,
  run: NewRun,
  added: RunStart,
  runEvents: readonly RunEvent[],
): Promise<AcceptedRun> {
  const queued = { id: run.id, status: run.values['status'] as Run['status'] };
  const values = { ...run.values, ...start.values, ...added.values, status: kind.states.move(queued, start.trigger) };
  const log = [...runEvents, ...added.events];
  const returned = `${kind.record}, ${start.loaded} AS loaded`;
  const { loaded, ...rest } = await insertRun<AcceptedRun>(tx, kind, { ...run, values }, log, returned);
  const record = rest as unknown as RunRecord;
  tx.emit(...kind.lifecycle(null, { ...record, ...start.before }), ...kind.lifecycle(start.trigger, record));
  return { loaded };
}

async function insertRun<Row extends object>(
  tx: Tx,
  kind: Pick<RunKind, 'tables' | 'timelineColumns'>,
  { id, values, workKind }: NewRun,
  runEvents: readonly RunEvent[],
  returned: string,
): Promise<Row> {
  const logged = { ...values, id, last_seq: 0 };
  const { inserts } = logOf(kind, logged, runEvents);
  const row = { work_kind: workKind, ...values, last_seq: logged.last_seq };
  const insert: StatementPart = {
    sql: (at) => {
      const { columns, sql } = columnsOf(row, at);
      return `INSERT INTO ${kind.tables.runs} AS t (company_id, id, ${columns.join(', ')})
        VALUES ($1, $2, ${sql.join(', ')}) RETURNING ${returned}`;
    },
    values: columnsOf(row, 0).params,
  };
  const [inserted] = await runTogether<Row>(tx, [...inserts, insert], { id });
  return inserted as Row;
}

export interface MoveOptions {
  log?: readonly RunEvent[];
  parts?: readonly StatementPart[];
  /** SQL over `t`: a text of the changed run to return. */
  view?: string;
}

export interface MovedRun<Status, RunRecord> {
  status: Status;
  record: RunRecord;
  events: StreamEvent[];
  view: string | null;
}

/**
 * Changes state and columns of a locked run and emits its lifecycle event. The end of a run makes its waiting parent
 * due. 409 when the state does not allow the change.
 */
export async function moveRun<Run extends LockedRun, Trigger extends string, RunRecord extends object>(
  tx: Tx,
  kind: RunKind<Run, Trigger, RunRecord>,
  run: Run,
  trigger: Trigger,
  values: ColumnValues = {},
  { log = [], parts = [], view = 'NULL' }: MoveOptions = {},
): Promise<MovedRun<Run['status'], RunRecord>> {
  const status = kind.states.move(run, trigger);
  const ends = kind.states.isTerminal(status);
  const { events, inserts } = logOf(kind, run, log);
  const sequence = events.length > 0 ? { last_seq: run.last_seq } : {};
  const row = { status, ...(ends ? { completed_at: NOW } : {}), ...values, ...sequence };
  const { runs } = kind.tables;
  const update: StatementPart = {
    sql: (at) => `UPDATE ${runs} t SET ${assignments(row, at)} WHERE t.company_id = $1 AND t.id = $2
      RETURNING ${kind.record}, ${view}::text AS view, ${ends ? dueSql(kind) : 'NULL::json'} AS due`,
    values: columnsOf(row, 0).params,
  };
  const [moved] = await runTogether<{ view: string | null; due: DueRun[] | null }>(
    tx,
    [...parts, ...inserts, update],
    run,
  );
  if (!moved) throw new Error(`${kind.noun} ${run.id} does not exist`);
  const { view: viewed, due, ...rest } = moved;
  const record = rest as unknown as RunRecord;
  tx.emit(...kind.lifecycle(trigger, record));
  if (ends) {
    for (const { work_kind, id } of due ?? []) tx.addWork(work_kind, id);
    await kind.ended?.(tx, run);
    runsEnded.inc({ kind: kind.work, status, failure_class: failureClassOf(values) });
  }
  return { status, record, events, view: viewed };
}

const failureClassOf = ({ failure_class }: Partial<RunFailure>): string => failure_class ?? 'none';

interface DueRun {
  id: string;
  work_kind: string;
}

/**
 * SQL over `t`, an ended run: a JSON list of the `DueRun`s that its end makes due, its running parent and its
 * successor; null when there is none.
 */
function dueSql({
  tables: { runs, parent },
  inlineChildren,
  successor,
}: Pick<RunKind, 'tables' | 'inlineChildren' | 'successor'>): string {
  const ofParent = `SELECT p.id, p.work_kind FROM ${runs} p
    WHERE p.company_id = t.company_id AND p.id = t.${parent} AND p.status = 'RUNNING'`;
  const due = [...(parent && !inlineChildren ? [ofParent] : []), ...(successor ? [successor] : [])];
  return due.length === 0
    ? 'NULL::json'
    : `(SELECT json_agg(json_build_object('id', d.id, 'work_kind', d.work_kind)) FROM (${due.join(' UNION ALL ')}) d)`;
}
