import type { Message, ResponseFormat, Route, TaskStatus } from '@signalbox/contracts';
import type { AgentSnapshot } from '../../agents/agent-snapshot.js';
import type { ParentState } from '../../sessions/session-state.js';
import type { Step } from '../model/conversation.js';
import type { LockedRun } from '@signalbox/runs';

/** A task as its worker sees it. */
export interface RunningTask extends LockedRun {
  status: TaskStatus;
  agent_id: number;
  session_no: number;
  session_id: string;
  trigger: string;
  version: string | null;
  companyId: number;
  snapshot: AgentSnapshot;
  application_id: number | null;
  history: Message[];
  input_messages: Message[];
  response_format: ResponseFormat | null;
  max_iterations: number;
  max_cost: number | null;
  has_secrets: boolean;
  started_at: number | null;
  /** When the current stretch of work began; before that the task may have waited. */
  active_since: number | null;
  /** How long it had worked when it was loaded, by the clock of the database; waiting for sub-agents does not count. */
  worked_ms: number;
  /** When it was loaded, by the monotonic clock of this process. */
  loaded_at: number;
  parent_task_id: string | null;
  parent_step: number | null;
  depth: number;
  metadata: Record<string, unknown>;
  work_kind: string;
  /** Where the rules sent the task, once they were asked. */
  routing: { rule_id: number | null; route: Route } | null;
  /** The state of its session and of its parent's, as they were when the task was loaded. */
  state: Record<string, unknown>;
  parent: ParentState | null;
  steps: Step[];
  /** The step of which an earlier worker may have told something, null when it did not. */
  last_told?: number | null;
}
