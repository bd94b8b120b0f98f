import { Injectable } from '@nestjs/common';
import type { Message } from '@signalbox/contracts';
import { Database, NOW_MS, type Tx } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import { NOW, RunEndedError } from '@signalbox/runs';
import { historyOf } from '../model/conversation.js';
import type { RunningTask } from './running-task.js';
import { readStep, type StoredStep } from '../steps/step-rows.repository.js';
import { TASK_COLUMNS, TaskRuns } from '../task-runs.repository.js';

const EARLIER_TASKS = 20;
/**
 * Earlier tasks with more bytes of input are left out of the history, so that a session does not grow without limit.
 */
const MAX_REMEMBERED = 262_144;

/**
 * Reads and starts tasks for their workers.
 *
 * SQL: a task, its steps and its session are one read for each claim.
 */
@Injectable()
export class RunningTasks {
  constructor(
    private readonly db: Database,
    private readonly runs: TaskRuns,
  ) {}

  /** A task with its recorded steps, null when it does not exist. */
  async load(companyId: number, id: string): Promise<RunningTask | null> {
    const [task] = await this.db.select<RunningTask & { steps: StoredStep[] }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT ${TASK_COLUMNS},
         (SELECT COALESCE(json_agg(json_build_object('kind', p.kind, 'step_no', p.step_no, 'status', p.status, 'result', p.result)
            ORDER BY p.step_no), '[]'::json)
          FROM agents.task_steps p WHERE p.company_id = s.company AND p.task_id = t.id) AS steps,
         (SELECT ${NOW_MS} - COALESCE(t.active_since, ${NOW_MS})
            - COALESCE(sum(COALESCE(c.completed_at, ${NOW_MS}) - c.date_created), 0)::bigint FROM agents.tasks c
          WHERE c.company_id = s.company AND c.parent_task_id = t.id AND c.date_created >= t.active_since) AS worked_ms,
         (SELECT e.state FROM agents.sessions e WHERE e.company_id = s.company AND e.id = t.session_no) AS state,
         (SELECT json_build_object('session_no', e.id, 'state', e.state, 'fields', o.snapshot->'form_fields')
          FROM agents.tasks o JOIN agents.sessions e ON e.company_id = s.company AND e.id = o.session_no
          WHERE o.company_id = s.company AND o.id = t.parent_task_id) AS parent
       FROM agents.tasks t WHERE t.company_id = s.company AND t.id = $2 OFFSET 0) x`,
      [id],
    );
    return task ? { ...task, companyId, loaded_at: performance.now(), steps: task.steps.map(readStep) } : null;
  }

  /** The step of the last delta that was streamed to clients; null when there is none. */
  async lastStreamedStep({ companyId, ref }: Job): Promise<number | null> {
    const [last] = await this.db.select<{ step: number }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT (t.data->>'step')::int AS step FROM agents.task_events t
         WHERE t.company_id = s.company AND t.task_id = $2 AND t.type = 'message.delta' ORDER BY t.seq DESC LIMIT 1 OFFSET 0) x`,
      [ref],
    );
    return last?.step ?? null;
  }

  /**
   * Moves a task from QUEUED to RUNNING and stores the history of its session with it. While an earlier task of the
   * session is open, returns the milliseconds for which the task may still be queued.
   */
  async start(job: Job, queueMs: number): Promise<RunningTask | number> {
    let leftMs: number | null = null;
    await this.runs.writes.fenced(job, job.ref, async (tx, task) => {
      leftMs = await this.queued(tx, task, queueMs);
      if (leftMs !== null) return [];
      // A chat completion contains the whole conversation.
      const history = task.trigger === 'CHAT' ? [] : await this.earlier(tx, task);
      const { status } = await this.runs.writes.move(tx, task, 'start', {
        started_at: NOW,
        active_since: NOW,
        history: JSON.stringify(history),
      });
      const { agent_id, session_id, version } = task;
      const event = { type: 'task.started', data: { agent_id, session_id, ...(version ? { version } : {}) } };
      const asked = task.input_messages.map(({ role, content }) => ({
        timeline: { type: 'message', data: { role, content: content ?? null } },
      }));
      return [{ event, timeline: { type: 'task_start', data: { status } } }, ...asked];
    });
    if (leftMs !== null) return leftMs;
    const task = await this.load(job.companyId, job.ref);
    if (!task) throw new RunEndedError();
    return task;
  }

  /** Null when no earlier task of the session is open. The task of a sub-agent runs within that of its parent. */
  private async queued(tx: Tx, task: RunningTask, queueMs: number): Promise<number | null> {
    if (task.parent_task_id !== null) return null;
    const [earlier] = await tx.query<{ left_ms: number }>(
      `SELECT t.date_created + $3::bigint - ${NOW_MS} AS left_ms FROM agents.tasks t
       WHERE t.company_id = $1 AND t.id = $2 AND EXISTS (
         SELECT 1 FROM agents.tasks e WHERE e.company_id = $1 AND e.session_no = t.session_no AND e.no < t.no
           AND e.parent_task_id IS NULL AND e.completed_at IS NULL)`,
      [tx.companyId, task.id, queueMs],
    );
    return earlier?.left_ms ?? null;
  }

  private async earlier(tx: Tx, task: RunningTask): Promise<Message[]> {
    const rows = await tx.query<{ input_messages: Message[]; output: Message | null }>(
      `SELECT t.input_messages, t.output FROM agents.tasks t
       WHERE t.company_id = $1 AND t.session_no = $2 AND t.status = 'COMPLETED' AND t.id <> $3
         AND pg_column_size(t.input_messages) < ${MAX_REMEMBERED} ORDER BY t.no DESC LIMIT $4`,
      [tx.companyId, task.session_no, task.id, EARLIER_TASKS],
    );
    return historyOf(rows.reverse());
  }
}
