import type { Message, WorkflowMode, WorkflowRunStatus, WorkflowTrigger } from '@signalbox/contracts';
import type { HeldRun } from '@signalbox/runs';
import type { WorkflowSnapshot } from '../drafts/index.js';

/** The part of a run that its script and its host calls need. */
export interface RunBody {
  snapshot: WorkflowSnapshot;
  input: unknown;
  messages: Message[] | null;
  params: Record<string, unknown>;
  metadata: Record<string, unknown>;
  secret_names: string[];
}

/** A run that a worker executes. */
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
  /** The task or run at the top of its chain; null for the top itself. */
  root_id: string | null;
  /** The task that has called the run. */
  called_by: string | null;
  depth: number;
  /** Epoch milliseconds at which the run has to end because of what has called it; null without a limit. */
  ends_by: number | null;
  /** US dollars that the run and all below it may cost; null without a limit. */
  max_cost: number | null;
  /** Executions that ended with their runner or its connection. */
  lost_executions: number;
  work_kind: string;
  /** Name of its application; absent where only the row is locked. */
  application_name?: string | null;
  /** Absent where only the row is locked. */
  body?: RunBody;
}
