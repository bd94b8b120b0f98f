import { type Emission, emission, agentEvents, type StreamEvent, type TaskStatus } from '@signalbox/contracts';
import type { Tx } from '@signalbox/database';
import type { TaskEvent } from './streaming/delivered-text.js';
import { USAGE } from './tasks.repository.js';

/** The columns of a locked task that its log needs. */
export interface LoggedTask {
  id: string;
  session_no: number;
  last_seq: number;
}

/** Events of one task, to be announced. */
export interface EmittedTaskEvents {
  id: string;
  events: StreamEvent[];
}

/** Writes what happened; answers the stream events for announcing them after the commit. The task is locked. */
export async function writeLog(tx: Tx, task: LoggedTask, happened: readonly TaskEvent[]): Promise<StreamEvent[]> {
  const now = Date.now();
  const events = happened
    .flatMap(({ event }) => (event ? [event] : []))
    .map(({ type, data }, index) => {
      const seq = task.last_seq + 1 + index;
      return { seq, type, data: { type, seq, timestamp: now, task_id: task.id, ...data } };
    });
  if (events.length > 0) {
    task.last_seq += events.length;
    await tx.query('UPDATE agents.tasks SET last_seq = $3 WHERE company_id = $1 AND id = $2', [
      tx.companyId,
      task.id,
      task.last_seq,
    ]);
    await tx.query(
      `INSERT INTO agents.task_events (company_id, task_id, seq, type, data, timestamp)
       SELECT $1, $2, s, t, d::jsonb, $6 FROM unnest($3::int[], $4::text[], $5::text[]) u(s, t, d)`,
      [
        tx.companyId,
        task.id,
        events.map(({ seq }) => seq),
        events.map(({ type }) => type),
        events.map(({ data }) => JSON.stringify(data)),
        now,
      ],
    );
  }
  const lines = happened.flatMap(({ timeline, at = now }) => (timeline ? [{ ...timeline, at }] : []));
  if (lines.length > 0)
    await tx.query(
      `INSERT INTO agents.task_timeline (company_id, task_id, session_no, type, data, timestamp)
       SELECT $1, $2, $3, t, d::jsonb, a FROM unnest($4::text[], $5::text[], $6::bigint[]) WITH ORDINALITY u(t, d, a, n)
       ORDER BY n`,
      [
        tx.companyId,
        task.id,
        task.session_no,
        lines.map(({ type }) => type),
        lines.map(({ data }) => JSON.stringify(data)),
        lines.map(({ at }) => at),
      ],
    );
  return events;
}

/** The parts of a task that tell it apart. */
export interface EmittedTask {
  id: string;
  agent_id: number;
  session_id: string;
  status: TaskStatus;
  trigger: string;
  version: string | null;
}

/** A task as its lifecycle events carry it: the record without messages and output. */
export type TaskRecord = InstanceType<(typeof agentEvents)['declared']['agent_task.queued']['data']>;

/** The same over the alias `t`; every write that changes the state of a task returns it. */
export const TASK_RECORD = `t.id, t.agent_id, t.parent_task_id, t.session_id, t.status, t.version, t.release, t.iterations,
  t.failure_class, t.error_code, t.error_message, t.started_at, t.completed_at, t.trigger, t.metadata, t.date_created,
  t.completed_at - t.started_at AS duration_ms, ${USAGE} AS usage`;

type TaskEventName = Extract<keyof (typeof agentEvents)['declared'], `agent_task.${string}`>;

/** The lifecycle event of a task, given what the write that led to it has returned. */
export function taskEmission(event: TaskEventName, [task]: readonly TaskRecord[]): Emission[] {
  return task ? [emission(agentEvents, event, task.id, task)] : [];
}
