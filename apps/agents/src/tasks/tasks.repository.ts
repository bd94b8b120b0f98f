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
import { Database, type ListOptions } from '@signalbox/database';
import type { Job } from '@signalbox/platform';
import type { RunningTask } from './execution/running-task.js';
import type { ActionStep, Step } from './model/conversation.js';
import type { EndedTask } from './execution/task-end.js';
import { TaskRuns } from './task-runs.repository.js';
import { taskView, taskWithBodies } from './task-view.sql.js';
import {
  CHILD_OF_STEP,
  COST_OF_TASK,
  ENDED_TASK,
  FIND_AGENT,
  LAST_STREAMED_STEP,
  LOAD_TASK,
  PROMPT_OF_TASK,
  SESSION_OF_TASK,
  STATUS_OF_TASK,
} from './tasks.sql.js';

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
      FIND_AGENT,
      [agentId],
    );
    if (!agent) throw notFound('agent');
    return agent;
  }

  list(companyId: number, options: ListOptions, bodies: boolean): Promise<JsonText<Page<ListedTask>>> {
    return this.db.list<ListedTask>(bodies ? taskWithBodies : taskView, companyId, options);
  }

  /** A task of the agent, or of any agent when none is named. */
  async get(companyId: number, agentId: number | null, id: string): Promise<JsonText<Task>> {
    await this.runs.reads.require(companyId, id, { agent_id: agentId });
    const task = await this.db.readOne<Task>(taskView, companyId, id);
    return task ?? missingTask();
  }

  async systemPromptOf(companyId: number, id: string): Promise<string | null> {
    const [task] = await this.db.select<{ system_prompt: string | null }>(companyId, PROMPT_OF_TASK, [id]);
    return task ? task.system_prompt : missingTask();
  }

  /** A task as its worker reads it, with its recorded steps; null when it does not exist. */
  async load(companyId: number, id: string): Promise<RunningTask | null> {
    const [task] = await this.db.select<RunningTask & { steps: StoredStep[] }>(companyId, LOAD_TASK, [id]);
    return task ? { ...task, companyId, loaded_at: performance.now(), steps: task.steps.map(readStep) } : null;
  }

  /** The step of the last delta that was streamed to clients; null when there is none. */
  async lastStreamedStep({ companyId, ref }: Job): Promise<number | null> {
    const [last] = await this.db.select<{ step: number }>(companyId, LAST_STREAMED_STEP, [ref]);
    return last?.step ?? null;
  }

  /** The status of a task; null when it does not exist. */
  async statusOf(companyId: number, id: string): Promise<TaskStatus | null> {
    const [task] = await this.db.select<{ status: TaskStatus }>(companyId, STATUS_OF_TASK, [id]);
    return task?.status ?? null;
  }

  /** What a task has cost so far in US dollars, with its background actions; null without a price. */
  async costOf(companyId: number, id: string): Promise<number | null> {
    const [task] = await this.db.select<{ cost: number | null }>(companyId, COST_OF_TASK, [id]);
    return task?.cost ?? null;
  }

  /** A task that has ended or waits for a callback; else null. */
  async findEnded(companyId: number, id: string, orWaiting = false): Promise<EndedTask | null> {
    const [task] = await this.db.select<EndedTask>(companyId, ENDED_TASK, [id, orWaiting]);
    return task ?? null;
  }

  /** The child task of a step; null before it is started. */
  async findChild(companyId: number, parentId: string, step: number): Promise<EndedTask | null> {
    const [child] = await this.db.select<EndedTask>(companyId, CHILD_OF_STEP, [parentId, step]);
    return child ?? null;
  }

  /** The task and session of a call with this id; null when there is none. */
  async findAccepted(companyId: number, id: string): Promise<{ task_id: string; session_id: string } | null> {
    const [task] = await this.db.select<{ task_id: string; session_id: string }>(companyId, SESSION_OF_TASK, [id]);
    return task ?? null;
  }
}

/** 404 for a task. */
export function missingTask(): never {
  throw notFound('task');
}
