import type { Message, ResponseFormat } from '@signalbox/contracts';
import type { AgentSnapshot } from '../drafts/index.js';
import type { RunningTask } from '../tasks/index.js';

/** Without secrets. */
export interface NewTask {
  id: string;
  trigger: string;
  /** That of the task at the top of the sub-agents. */
  root_trigger: string;
  parent: { id: string; step: number } | null;
  root_id: string | null;
  called_by: string | null;
  depth: number;
  ends_by: number | null;
  agent_id: number;
  application_id: number | null;
  session_id: string;
  version: string | null;
  release: string | null;
  snapshot: AgentSnapshot;
  input_messages: Message[];
  response_format: ResponseFormat | null;
  max_iterations: number;
  max_cost: number | null;
  has_secrets: boolean;
  metadata: Record<string, unknown>;
  /** For a new session, and for any session. */
  state: { initial: Record<string, unknown>; given: Record<string, unknown> };
}

/** Columns that were read when the task was accepted and started. */
export type AcceptedColumns = Pick<
  RunningTask,
  | 'started_at'
  | 'active_since'
  | 'now'
  | 'usage'
  | 'last_seq'
  | 'input_messages'
  | 'response_format'
  | 'metadata'
  | 'state'
  | 'parent'
>;

export interface Accepted {
  task_id: string;
  session_id: string;
  status: 'QUEUED';
}
