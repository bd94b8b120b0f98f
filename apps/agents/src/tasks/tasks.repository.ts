import { Injectable } from '@nestjs/common';
import {
  type AgentKind,
  JsonText,
  type ListedTask,
  notFound,
  type OnOff,
  type Page,
  type Task,
  type TaskStatus,
} from '@signalbox/contracts';
import { Database, type ListOptions, NOW_MS } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import type { RunningTask } from './execution/running-task.js';
import type { ActionStep, Step } from './model/conversation.js';
import type { EndedTask } from './execution/task-end.js';
import { TaskRuns } from './task-runs.repository.js';
import { ENDED_COLUMNS, RUNNING_COLUMNS, taskView, taskWithBodies } from './task.view.js';

interface StoredStep {
  status: ActionStep['status'];
  result: Step;
}

/** Restores a step from its row; its status is a column because a background action changes it. */
const readStep = ({ result, status }: StoredStep): Step => (result.kind === 'action' ? { ...result, status } : result);

/**
 * The reads of tasks: by clients, by callers that wait and by workers.
 *
 * SQL: lists leave bodies out and compute first message, cost and waiting in the read; a task, its steps and its
 * session are one read for each claim.
 */
@Injectable()
export class Tasks {
  constructor(
    private readonly db: Database,
    private readonly runs: TaskRuns,
  ) {}

  /** Status and application of an agent; 404 when it does not exist. */
  async agentOf(
    companyId: number,
    agentId: number,
  ): Promise<{ status: OnOff; kind: AgentKind; application_id: number | null }> {
    const [agent] = await this.db.select<{ status: OnOff; kind: AgentKind; application_id: number | null }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.status, t.kind, t.application_id FROM agents.agents t
         WHERE t.company_id = s.company AND t.id = $2 AND t.deleted_at IS NULL OFFSET 0) x`,
      [agentId],
    );
    if (!agent) throw notFound('agent');
    return agent;
  }

  list(companyId: number, options: ListOptions, bodies: boolean): Promise<JsonText<Page<ListedTask>>> {
    const sort = options.sort.replace(/^(-?)id$/, '$1accepted');
    return this.db.list<ListedTask>(bodies ? taskWithBodies : taskView, companyId, { ...options, sort });
  }

  /** A task of the agent, or of any agent when none is named. */
  async get(companyId: number, agentId: number | null, id: string): Promise<JsonText<Task>> {
    await this.runs.reads.require(companyId, id, { agent_id: agentId });
    const task = await this.db.readOne<Task>(taskView, companyId, id);
    return task ?? missingTask();
  }

  async systemPromptOf(companyId: number, id: string): Promise<string | null> {
    const [task] = await this.db.select<{ system_prompt: string | null }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.snapshot->>'system_prompt' AS system_prompt FROM agents.tasks t
         WHERE t.company_id = s.company AND t.id = $2 OFFSET 0) x`,
      [id],
    );
    return task ? task.system_prompt : missingTask();
  }

  /** A task as its worker reads it, with its recorded steps; null when it does not exist. */
  async load(companyId: number, id: string): Promise<RunningTask | null> {
    const [task] = await this.db.select<RunningTask & { steps: StoredStep[] }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT ${RUNNING_COLUMNS},
         (SELECT COALESCE(json_agg(json_build_object('status', p.status, 'result', p.result)
            ORDER BY p.step_no), '[]'::json)
          FROM agents.task_steps p WHERE p.company_id = s.company AND p.task_id = t.id) AS steps,
         (SELECT ${NOW_MS} - COALESCE(t.active_since, ${NOW_MS})
            - COALESCE(sum(COALESCE(c.completed_at, ${NOW_MS}) - c.date_created), 0)::bigint FROM agents.tasks c
          WHERE c.company_id = s.company AND c.parent_task_id = t.id AND c.date_created >= t.active_since) AS worked_ms
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

  /** The status of a task; null when it does not exist. */
  async statusOf(companyId: number, id: string): Promise<TaskStatus | null> {
    const [task] = await this.db.select<{ status: TaskStatus }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.status FROM agents.tasks t
         WHERE t.company_id = s.company AND t.id = $2 OFFSET 0) x`,
      [id],
    );
    return task?.status ?? null;
  }

  /** What a task has cost so far in US dollars, with its background actions; null without a price. */
  async costOf(companyId: number, id: string): Promise<number | null> {
    const [task] = await this.db.select<{ cost: number | null }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.cost FROM agents.tasks t
         WHERE t.company_id = s.company AND t.id = $2 OFFSET 0) x`,
      [id],
    );
    return task?.cost ?? null;
  }

  /** A task that has ended or waits for a callback; else null. */
  async findEnded(companyId: number, id: string, orWaiting = false): Promise<EndedTask | null> {
    const [task] = await this.db.select<EndedTask>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT ${ENDED_COLUMNS} FROM agents.tasks t
         WHERE t.company_id = s.company AND t.id = $2
           AND (t.completed_at IS NOT NULL OR ($3 AND t.status = 'WAITING_WEBHOOK')) OFFSET 0) x`,
      [id, orWaiting],
    );
    return task ?? null;
  }

  /** The child task of a step; null before it is started. */
  async findChild(companyId: number, parentId: string, step: number): Promise<EndedTask | null> {
    const [child] = await this.db.select<EndedTask>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT ${ENDED_COLUMNS} FROM agents.tasks t
         WHERE t.company_id = s.company AND t.parent_task_id = $2 AND t.parent_step = $3 OFFSET 0) x`,
      [parentId, step],
    );
    return child ?? null;
  }

  /** The task and session of a call with this id; null when there is none. */
  async findAccepted(companyId: number, id: string): Promise<{ task_id: string; session_id: string } | null> {
    const [task] = await this.db.select<{ task_id: string; session_id: string }>(
      companyId,
      `SELECT x.* FROM s, LATERAL (SELECT t.id AS task_id, t.session_id FROM agents.tasks t
         WHERE t.company_id = s.company AND t.id = $2 OFFSET 0) x`,
      [id],
    );
    return task ?? null;
  }
}

/** 404 for a task. */
export function missingTask(): never {
  throw notFound('task');
}
