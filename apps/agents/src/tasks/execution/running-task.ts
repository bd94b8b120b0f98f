import type { Message, ResponseFormat, Route, TaskStatus, Usage } from '@signalbox/contracts';
import type { AgentSnapshot } from '../../drafts/index.js';
import type { ParentState } from './session-state.js';
import type { Step } from '../model/conversation.js';
import type { LockedRun } from '@signalbox/runs';

/** A task whose row a write has locked, without its snapshot and its bodies. */
export interface LockedTask extends LockedRun {
  status: TaskStatus;
  agent_id: number;
  session_no: number;
  session_id: string;
  version: string | null;
  parent_task_id: string | null;
  has_secrets: boolean;
  /** Tokens and cost of its recorded steps. */
  usage: Usage;
  /** Time of the read, by the clock of the database. */
  now: number;
}

/** What the start of a task reads together with the change of its state. */
export interface StartedTask {
  started_at: number;
  active_since: number;
  /** The states of its session and of its parent's. */
  state: Record<string, unknown>;
  parent: ParentState | null;
}

/** A task that a worker executes. */
export interface RunningTask extends LockedTask {
  trigger: string;
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
  /** Working time at the load, by the clock of the database; waiting for sub-agents does not count. */
  worked_ms: number;
  /** Time of the load, by the monotonic clock of this process. */
  loaded_at: number;
  parent_step: number | null;
  /** The task or run at the top of its chain; null for the top itself. */
  root_id: string | null;
  /** The run of another service that has called the task. */
  called_by: string | null;
  depth: number;
  /** Epoch milliseconds at which the task has to end because of what has called it; null without a limit. */
  ends_by: number | null;
  metadata: Record<string, unknown>;
  work_kind: string;
  /** The routing decision; null before it is made. */
  routing: { rule_id: number | null; route: Route } | null;
  /** The states of its session and of its parent's, at the load. */
  state: Record<string, unknown>;
  parent: ParentState | null;
  steps: Step[];
  /** The step of which an earlier worker has streamed deltas, null when there is none. */
  last_streamed_step?: number | null;
}
