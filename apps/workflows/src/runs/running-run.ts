import type { Message, WorkflowMode, WorkflowRunStatus, WorkflowTrigger } from '@signalbox/contracts';
import type { HeldRun } from '@signalbox/runs';
import type { WorkflowSnapshot } from '../drafts/index.js';

export interface RunBody {
  snapshot: WorkflowSnapshot;
  input: unknown;
  messages: Message[] | null;
  params: Record<string, unknown>;
  metadata: Record<string, unknown>;
  secret_names: string[];
}

export interface RunningRun extends HeldRun {
  status: WorkflowRunStatus;
  workflow_id: number;
  workflow_ref_name: string;
  workflow_version: string | null;
  release: string | null;
  application_id: number | null;
  session_id: string;
  trigger: WorkflowTrigger;
  root_trigger: Exclude<WorkflowTrigger, 'NESTED'>;
  mode: WorkflowMode;
  attempts: number;
  parent_run_id: string | null;
  /** The task or run at the top of the chain; null for the top itself. */
  root_id: string | null;
  called_by: string | null;
  depth: number;
  /** Deadline of the caller in epoch milliseconds; null without one. */
  ends_by: number | null;
  /** Limit in US dollars for the run and everything below it; null without a limit. */
  max_cost: number | null;
  lost_executions: number;
  work_kind: string;
  /** Absent where only the row is locked, as is `body`. */
  application_name?: string | null;
  body?: RunBody;
}
