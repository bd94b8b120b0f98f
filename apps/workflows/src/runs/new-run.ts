import type { Message, WorkflowMode, WorkflowTrigger } from '@signalbox/contracts';
import { type ColumnValues, firstTextOf, shownFirst } from '@signalbox/runs';
import { jsonbText } from './jsonb-text.js';
import type { RunBody, RunningRun } from './running-run.js';
import type { WorkflowSnapshot } from '../drafts/index.js';

/** Contains no values of secrets. */
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
  parent: { id: string; call_key: string } | null;
  root_id: string | null;
  called_by: string | null;
  depth: number;
  ends_by: number | null;
  max_cost: number | null;
}

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
  first_message: shownFirst(firstTextOf(run.messages ?? []) ?? inputText(run.input)),
  params: JSON.stringify(run.params),
  metadata: JSON.stringify(run.metadata),
  secret_names: JSON.stringify(run.secret_names),
  has_secrets: run.has_secrets,
  parent_run_id: run.parent?.id ?? null,
  root_id: run.root_id,
  called_by: run.called_by,
  depth: run.depth,
  ends_by: run.ends_by,
  max_cost: run.max_cost,
  call_key: run.parent?.call_key ?? null,
});

const inputText = (input: unknown): string | null =>
  typeof input === 'string' || input === null ? input : jsonbText(input, 400);

export type NamedRun = NewRun & { application_name: string | null };

/** As Postgres returns it: a restarted script sees the same values with the same order of keys. */
export type StoredInput = Pick<RunBody, 'input' | 'messages' | 'params' | 'metadata'>;

/** A run that was started in the transaction that accepted it. */
export const startedRun = (run: NamedRun, work_kind: string, stored: StoredInput): RunningRun => {
  const {
    snapshot,
    secret_names,
    parent,
    input: _input,
    messages: _messages,
    params: _params,
    metadata: _metadata,
    ...kept
  } = run;
  return {
    ...kept,
    ...{ status: 'RUNNING', attempts: 1, last_seq: 1, work_kind },
    ...{ parent_run_id: parent?.id ?? null, lost_executions: 0 },
    body: { snapshot, secret_names, ...stored },
  };
};
