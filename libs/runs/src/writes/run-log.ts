import type { StreamEvent } from '@signalbox/contracts';
import type { Tx } from '@signalbox/database';
import type { RunEvent } from '../run-event.js';
import { type ColumnValues, type CommittedEvents, type LockedRun, type RunKind, Sql } from '../run-kind.js';

type LoggedKind = Pick<RunKind, 'tables' | 'timelineColumns'>;
type LoggedRun = Pick<LockedRun, 'id' | 'last_seq'>;

interface Log {
  events: StreamEvent[];
  /** Without the change of `last_seq` in the run. */
  inserts: StatementPart[];
}

export interface LogOptions {
  values?: ColumnValues;
  parts?: readonly StatementPart[];
}

/** Returns the stream events, to be published after the commit. */
export async function writeLog(
  tx: Tx,
  kind: LoggedKind,
  run: LoggedRun,
  runEvents: readonly RunEvent[],
  { values = {}, parts = [] }: LogOptions = {},
): Promise<StreamEvent[]> {
  const { events, inserts } = logOf(kind, run, runEvents);
  const row = { ...values, ...(events.length > 0 ? { last_seq: run.last_seq } : {}) };
  await runTogether(tx, [...parts, ...(Object.keys(row).length > 0 ? [updateOf(kind, row)] : []), ...inserts], run);
  return events;
}

/** Increases `last_seq` of the locked run in memory. */
export function logOf(kind: LoggedKind, run: LoggedRun, runEvents: readonly RunEvent[]): Log {
  const now = Date.now();
  const events = runEvents
    .flatMap(({ event }) => (event ? [event] : []))
    .map(({ type, data }, index) => {
      const seq = run.last_seq + 1 + index;
      return { seq, type, data: { type, seq, timestamp: now, [kind.tables.key]: run.id, ...data } };
    });
  const rows = runEvents.flatMap(({ timeline, at = now }) => (timeline ? [{ ...timeline, at }] : []));
  run.last_seq += events.length;
  const inserts = [
    ...(events.length > 0 ? [eventRows(kind, events, now)] : []),
    ...(rows.length > 0 ? [timelineRows(kind, run, rows)] : []),
  ];
  return { events, inserts };
}

export async function insertEvents(
  tx: Tx,
  { statements }: Pick<RunKind, 'statements'>,
  numbered: readonly CommittedEvents[],
): Promise<void> {
  const rows = numbered.flatMap(({ id, events }) => events.map((event) => ({ id, ...event })));
  if (rows.length === 0) return;
  await tx.query(statements.writes.insertEvents, [
    tx.companyId,
    rows.map(({ id }) => id),
    rows.map(({ seq }) => seq),
    rows.map(({ type }) => type),
    rows.map(({ data }) => JSON.stringify(data)),
    Date.now(),
  ]);
}

/** Its first parameters are the company and the id of the run; `at` is its first own one. */
export interface StatementPart {
  sql: (at: number) => string;
  values: unknown[];
}

/**
 * One statement, hence one round trip; returns the rows of the last part. Its text is made here because each caller
 * gives other parts and columns: no test could plan them all, and no run does without them.
 */
export async function runTogether<Row extends object>(
  tx: Tx,
  parts: readonly StatementPart[],
  { id }: Pick<LoggedRun, 'id'>,
): Promise<Row[]> {
  if (parts.length === 0) return [];
  const values: unknown[] = [tx.companyId, id];
  const texts = parts.map((part) => {
    const text = part.sql(values.length + 1);
    values.push(...part.values);
    return text;
  });
  const last = texts.pop() ?? '';
  const before = texts.map((text, index) => `w${index} AS (${text})`).join(', ');
  return tx.query<Row>(before ? `WITH ${before} ${last}` : last, values);
}

const updateOf = ({ tables }: LoggedKind, row: ColumnValues): StatementPart => ({
  sql: (at) => `UPDATE ${tables.runs} t SET ${assignments(row, at)} WHERE t.company_id = $1 AND t.id = $2`,
  values: columnsOf(row, 0).params,
});

const eventRows = ({ tables }: LoggedKind, events: readonly StreamEvent[], now: number): StatementPart => ({
  sql: (at) => `INSERT INTO ${tables.events} (company_id, ${tables.key}, seq, type, data, timestamp)
    SELECT $1, $2, s, t, d::jsonb, $${at + 3} FROM unnest($${at}::int[], $${at + 1}::text[], $${at + 2}::text[]) u(s, t, d)`,
  values: [
    events.map(({ seq }) => seq),
    events.map(({ type }) => type),
    events.map(({ data }) => JSON.stringify(data)),
    now,
  ],
});

interface TimelineRow {
  type: string;
  data: Record<string, unknown>;
  at: number;
}

function timelineRows(
  { tables, timelineColumns }: LoggedKind,
  run: LoggedRun,
  rows: readonly TimelineRow[],
): StatementPart {
  const names = timelineColumns.map((name) => `, ${name}`).join('');
  return {
    sql: (at) => {
      const repeated = timelineColumns.map((_, index) => `, $${at + 3 + index}`).join('');
      return `INSERT INTO ${tables.timeline} (company_id, ${tables.key}, type, data, timestamp${names})
        SELECT $1, $2, t, d::jsonb, a${repeated}
        FROM unnest($${at}::text[], $${at + 1}::text[], $${at + 2}::bigint[]) WITH ORDINALITY u(t, d, a, n) ORDER BY n`;
    },
    values: [
      rows.map(({ type }) => type),
      rows.map(({ data }) => JSON.stringify(data)),
      rows.map(({ at }) => at),
      ...timelineColumns.map((name) => run[name as keyof LoggedRun]),
    ],
  };
}

/** Parameters are numbered from `first`. */
export function columnsOf(
  values: ColumnValues,
  first: number,
): { columns: string[]; sql: string[]; params: unknown[] } {
  const params: unknown[] = [];
  const sql = Object.values(values).map((value) => {
    if (value instanceof Sql) return value.text;
    params.push(value);
    return `$${first + params.length - 1}`;
  });
  return { columns: Object.keys(values), sql, params };
}

export function assignments(values: ColumnValues, first: number): string {
  const { columns, sql } = columnsOf(values, first);
  return columns.map((name, index) => `${name} = ${sql[index]}`).join(', ');
}
