import type { StreamEvent } from '@signalbox/contracts';
import type { Tx } from '@signalbox/database';
import type { RunEvent } from '../run-event.js';
import type { LockedRun, RunKind } from '../run-kind.js';

type Logged = Pick<RunKind, 'tables' | 'timelineColumns'>;
type LoggedRun = Pick<LockedRun, 'id' | 'last_seq'>;

/** Writes events and timeline rows of a locked run; returns the stream events, to be published after the commit. */
export async function writeLog(
  tx: Tx,
  kind: Logged,
  run: LoggedRun,
  runEvents: readonly RunEvent[],
): Promise<StreamEvent[]> {
  const now = Date.now();
  const events = runEvents
    .flatMap(({ event }) => (event ? [event] : []))
    .map(({ type, data }, index) => {
      const seq = run.last_seq + 1 + index;
      return { seq, type, data: { type, seq, timestamp: now, [kind.tables.key]: run.id, ...data } };
    });
  if (events.length > 0) await writeEvents(tx, kind, run, events, now);
  const rows = runEvents.flatMap(({ timeline, at = now }) => (timeline ? [{ ...timeline, at }] : []));
  if (rows.length > 0) await writeTimeline(tx, kind, run, rows);
  return events;
}

async function writeEvents(tx: Tx, { tables }: Logged, run: LoggedRun, events: StreamEvent[], now: number) {
  run.last_seq += events.length;
  await tx.query(`UPDATE ${tables.runs} SET last_seq = $3 WHERE company_id = $1 AND id = $2`, [
    tx.companyId,
    run.id,
    run.last_seq,
  ]);
  await tx.query(
    `INSERT INTO ${tables.events} (company_id, ${tables.key}, seq, type, data, timestamp)
     SELECT $1, $2, s, t, d::jsonb, $6 FROM unnest($3::int[], $4::text[], $5::text[]) u(s, t, d)`,
    [
      tx.companyId,
      run.id,
      events.map(({ seq }) => seq),
      events.map(({ type }) => type),
      events.map(({ data }) => JSON.stringify(data)),
      now,
    ],
  );
}

interface TimelineRow {
  type: string;
  data: Record<string, unknown>;
  at: number;
}

async function writeTimeline(tx: Tx, { tables, timelineColumns }: Logged, run: LoggedRun, rows: TimelineRow[]) {
  const names = timelineColumns.map((name) => `, ${name}`).join('');
  const placeholders = timelineColumns.map((_, index) => `, $${index + 6}`).join('');
  await tx.query(
    `INSERT INTO ${tables.timeline} (company_id, ${tables.key}, type, data, timestamp${names})
     SELECT $1, $2, t, d::jsonb, a${placeholders} FROM unnest($3::text[], $4::text[], $5::bigint[]) WITH ORDINALITY u(t, d, a, n)
     ORDER BY n`,
    [
      tx.companyId,
      run.id,
      rows.map(({ type }) => type),
      rows.map(({ data }) => JSON.stringify(data)),
      rows.map(({ at }) => at),
      ...timelineColumns.map((name) => run[name as keyof LoggedRun]),
    ],
  );
}
