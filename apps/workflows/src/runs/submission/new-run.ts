import type { Message, WorkflowMode, WorkflowTrigger } from '@signalbox/contracts';
import type { ColumnValues } from '@signalbox/runs';
import type { WorkflowSnapshot } from '../../workflows/workflow-snapshot.js';

/** The values of a new run, without secrets. */
export interface NewRun {
  id: string;
  workflow_id: number;
  workflow_ref_name: string;
  workflow_version: string | null;
  release: string | null;
  application_id: number | null;
  session_id: string;
  trigger: WorkflowTrigger;
  root_trigger: Exclude<WorkflowTrigger, 'NESTED'>;
  mode: WorkflowMode;
  snapshot: WorkflowSnapshot;
  input: unknown;
  messages: Message[] | null;
  params: Record<string, unknown>;
  metadata: Record<string, unknown>;
  secret_names: string[];
  has_secrets: boolean;
  parent: { id: string; depth: number; call_key: string } | null;
}

/** The columns of a new run. */
export const valuesOf = (run: NewRun): ColumnValues => ({
  status: 'QUEUED',
  workflow_id: run.workflow_id,
  workflow_ref_name: run.workflow_ref_name,
  workflow_version: run.workflow_version,
  release: run.release,
  application_id: run.application_id,
  session_id: run.session_id,
  trigger: run.trigger,
  root_trigger: run.root_trigger,
  mode: run.mode,
  snapshot: JSON.stringify(run.snapshot),
  input: run.input === null ? null : JSON.stringify(run.input),
  messages: run.messages === null ? null : JSON.stringify(run.messages),
  params: JSON.stringify(run.params),
  metadata: JSON.stringify(run.metadata),
  secret_names: JSON.stringify(run.secret_names),
  has_secrets: run.has_secrets,
  parent_run_id: run.parent?.id ?? null,
  depth: run.parent?.depth ?? 0,
  call_key: run.parent?.call_key ?? null,
});
