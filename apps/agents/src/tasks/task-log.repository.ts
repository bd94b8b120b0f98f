import { type Emission, emission, agentEvents, type StreamEvent, type TaskStatus } from '@signalbox/contracts';
import type { Tx } from '@signalbox/database';
import type { Happening } from './told.js';

/** The columns of a locked task that its log needs. */
export interface LoggedTask {
  id: string;
  session_no: number;
  last_seq: number;
}

/** Events of one task, to be announced. */
export interface ToldEvents {
  id: string;
  events: StreamEvent[];
}

/** Writes what happened; answers the stream events for announcing them after the commit. The task is locked. */
export async function writeLog(tx: Tx, task: LoggedTask, happened: readonly Happening[]): Promise<StreamEvent[]> {
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
  const lines = happened.flatMap(({ timeline }) => (timeline ? [timeline] : []));
  if (lines.length > 0)
    await tx.query(
      `INSERT INTO agents.task_timeline (company_id, task_id, session_no, type, data, timestamp)
       SELECT $1, $2, $3, t, d::jsonb, $6 FROM unnest($4::text[], $5::text[]) WITH ORDINALITY u(t, d, n) ORDER BY n`,
      [
        tx.companyId,
        task.id,
        task.session_no,
        lines.map(({ type }) => type),
        lines.map(({ data }) => JSON.stringify(data)),
        now,
      ],
    );
  return events;
}

/** A task as its lifecycle events carry it. */
export interface ToldTask {
  id: string;
  agent_id: number;
  session_id: string;
  status: TaskStatus;
  trigger: string;
  version: string | null;
}

type TaskEventName = Extract<keyof (typeof agentEvents)['declared'], `agent_task.${string}`>;
type Failure = Pick<
  InstanceType<(typeof agentEvents)['declared']['agent_task.failed']['data']>,
  'failure_class' | 'error_code'
>;

/** The lifecycle event of a task. */
export function taskEmission(event: TaskEventName, task: ToldTask, failure: Failure = {}): Emission {
  const { id, agent_id, session_id, status, trigger, version } = task;
  return emission(agentEvents, event, id, { id, agent_id, session_id, status, trigger, version, ...failure });
}
