import type { Chain, Message, ResponseFormat, Route, TaskStatus, Usage } from '@signalbox/contracts';
import { chainBelow, type LockedRun } from '@signalbox/runs';
import type { AgentSnapshot } from '../../drafts/index.js';
import type { LoopState, Step } from '../model/conversation.js';
import { costOf } from '../steps/next-step.js';
import { type ParentState, readableState, type StateOwners, writableFields } from './session-state.js';
import { MAX_TASK_MS } from './task-outcome.js';

export interface LockedTask extends LockedRun {
  status: TaskStatus;
  agent_id: number;
  session_no: number;
  session_id: string;
  version: string | null;
  parent_task_id: string | null;
  has_secrets: boolean;
  usage: Usage;
  /** By the clock of the database. */
  now: number;
}

export interface StartedTask {
  started_at: number;
  active_since: number;
  state: Record<string, unknown>;
  parent: ParentState | null;
}

export interface RunningTask extends LockedTask {
  trigger: string;
  /** That of the task at the top: the work of a sub-agent is a test when the task above it is one. */
  root_trigger: string;
  release: string | null;
  companyId: number;
  snapshot: AgentSnapshot;
  application_id: number | null;
  history: Message[];
  input_messages: Message[];
  response_format: ResponseFormat | null;
  max_iterations: number;
  max_cost: number | null;
  started_at: number | null;
  /** Start of the current period of work; the task may have waited before it. */
  active_since: number | null;
  /** Working time in ms at the load, by the clock of the database; waiting for sub-agents does not count. */
  worked_ms: number;
  /** By the monotonic clock of this process. */
  loaded_at: number;
  parent_step: number | null;
  /** The task or run at the top of its chain; null for the top itself. */
  root_id: string | null;
  /** The run of another service that has called the task. */
  called_by: string | null;
  depth: number;
  /** Time limit set by the caller of the task, epoch ms; null without a limit. */
  ends_by: number | null;
  metadata: Record<string, unknown>;
  work_kind: string;
  routing: { rule_id: number | null; route: Route } | null;
  /** An earlier worker has begun the call of this step, which may not be repeated; absent without one. */
  calling_step?: number | null;
  state: Record<string, unknown>;
  parent: ParentState | null;
  steps: Step[];
  /** The step of which an earlier worker has streamed deltas; null without one. */
  last_streamed_step?: number | null;
}

export const loopStateOf = (task: RunningTask): LoopState => ({
  agent: task.snapshot,
  history: task.history,
  input: task.input_messages,
  responseFormat: task.response_format,
  maxIterations: task.max_iterations,
  maxCost: task.max_cost,
  ...routeOf(task),
  state: readableState(stateOf(task)),
  fields: writableFields(stateOf(task)),
});

export const stateOf = (task: RunningTask): StateOwners => ({
  form_fields: task.snapshot.form_fields ?? [],
  state: task.state,
  parent: task.parent,
});

/** Null while the routing is undecided; absent for an agent without rules whose default route is the loop. */
function routeOf({ routing, snapshot }: RunningTask): Pick<LoopState, 'route'> {
  if (routing) return { route: routing.route };
  const ruled = snapshot.routing_rules?.some(({ enabled }) => enabled) || snapshot.routing?.default.type !== 'llm';
  return snapshot.routing && (snapshot.execution_mode === 'route' || ruled) ? { route: null } : {};
}

/** In ms; does not grow while sub-agents work or the task waits for a callback. */
export const workedMs = ({ worked_ms, loaded_at }: RunningTask): number => worked_ms + performance.now() - loaded_at;

export const isOutOfTime = (task: RunningTask): boolean =>
  workedMs(task) > MAX_TASK_MS || (task.ends_by !== null && Date.now() > task.ends_by);

/** In US dollars, as far as this process knows, with background actions and routing. */
export const spentBy = ({ steps, usage }: RunningTask): number => Math.max(costOf(steps), usage.cost ?? 0);

export const budgetOf = (task: RunningTask): number | null =>
  task.max_cost === null ? null : Math.max(0, task.max_cost - spentBy(task));

export const chainOf = (task: RunningTask, isBackground = false): Chain =>
  chainBelow(task, {
    until: Math.floor(Date.now() + MAX_TASK_MS - (isBackground ? 0 : workedMs(task))),
    budget: budgetOf(task),
  });
