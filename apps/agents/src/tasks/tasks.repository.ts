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
import { MAX_STATE } from './session-state.repository.js';
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
  SIZE_OF_STATE,
  STATUS_OF_TASK,
} from './tasks.sql.js';

interface StoredStep {
  status: ActionStep['status'];
  result: Step;
}

/** The status is a column because a background action changes it. */
const readStep = ({ result, status }: StoredStep): Step => (result.kind === 'action' ? { ...result, status } : result);

/**
 * SQL: lists leave bodies out and compute first message, cost and waiting in the read; a task, its steps and its
 * session are one read for each claim.
 */
@Injectable()
export class Tasks {
  constructor(
    private readonly db: Database,
    private readonly runs: TaskRuns,
  ) {}

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

  async get(companyId: number, agentId: number | null, id: string): Promise<JsonText<Task>> {
    await this.runs.reads.require(companyId, id, { agent_id: agentId });
    const task = await this.db.readOne<Task>(taskView, companyId, id);
    return task ?? missingTask();
  }

  async systemPromptOf(companyId: number, id: string): Promise<string | null> {
    const [task] = await this.db.select<{ system_prompt: string | null }>(companyId, PROMPT_OF_TASK, [id]);
    return task ? task.system_prompt : missingTask();
  }

  async load(companyId: number, id: string): Promise<RunningTask | null> {
    const [task] = await this.db.select<RunningTask & { steps: StoredStep[] }>(companyId, LOAD_TASK, [id]);
    return task ? { ...task, companyId, loaded_at: performance.now(), steps: task.steps.map(readStep) } : null;
  }

  async lastStreamedStep({ companyId, ref }: Job): Promise<number | null> {
    const [last] = await this.db.select<{ step: number }>(companyId, LAST_STREAMED_STEP, [ref]);
    return last?.step ?? null;
  }

  async statusOf(companyId: number, id: string): Promise<TaskStatus | null> {
    const [task] = await this.db.select<{ status: TaskStatus }>(companyId, STATUS_OF_TASK, [id]);
    return task?.status ?? null;
  }

  /** In US dollars, with background actions; null without a price. */
  async costOf(companyId: number, id: string): Promise<number | null> {
    const [task] = await this.db.select<{ cost: number | null }>(companyId, COST_OF_TASK, [id]);
    return task?.cost ?? null;
  }

  /** Whether the state of a session has room for a change. */
  async stateTakes(companyId: number, sessionNo: number, change: Record<string, unknown>): Promise<boolean> {
    if (Object.keys(change).length === 0) return true;
    const values = [sessionNo, JSON.stringify(change)];
    const [state] = await this.db.select<{ size: number }>(companyId, SIZE_OF_STATE, values);
    return (state?.size ?? 0) <= MAX_STATE;
  }

  async findEnded(companyId: number, id: string, orWaiting = false): Promise<EndedTask | null> {
    const [task] = await this.db.select<EndedTask>(companyId, ENDED_TASK, [id, orWaiting]);
    return task ?? null;
  }

  async findChild(companyId: number, parentId: string, step: number): Promise<EndedTask | null> {
    const [child] = await this.db.select<EndedTask>(companyId, CHILD_OF_STEP, [parentId, step]);
    return child ?? null;
  }

  async findAccepted(companyId: number, id: string): Promise<{ task_id: string; session_id: string } | null> {
    const [task] = await this.db.select<{ task_id: string; session_id: string }>(companyId, SESSION_OF_TASK, [id]);
    return task ?? null;
  }
}

export function missingTask(): never {
  throw notFound('task');
}
