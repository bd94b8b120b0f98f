import { defineContract } from '../../contract.js';
import { page, stream } from '../../contract/outputs.js';
import { AtMostOne } from '../../fields/checks.js';
import {
  Default,
  Description,
  field,
  Flag,
  Id,
  Int,
  join,
  Json,
  ListOf,
  Matching,
  Obj,
  OneOf,
  Optional,
  partial,
  Slug,
  Uuid,
} from '../../fields/fields.js';
import { ListQuery, PlainSort, Message, Secrets } from '../../shapes.js';
import { versionWord } from '../../versions/versions.js';
import { ListedWorkflowRun, RunLogEntry, WorkflowRun, WorkflowRunFilters } from './run-records.js';
import { WORKFLOW_RUN_STATES, type WorkflowRunStatus } from './run-states.js';
import { RunStreamEvent, RunTimelineEvent } from './run-timelines.js';
import { WorkflowPath } from './workflow-path.js';
import { WORKFLOW_MODES, type WorkflowMode } from './workflows.js';

const SESSION_ID = /^[A-Za-z0-9._:-]{1,128}$/;

@AtMostOne('version', 'release')
export class RunInput {
  @Json() @Optional() input?: unknown;
  @ListOf(() => Message, 1, 1000) @Optional() messages?: Message[];
  @Obj() @Default(() => ({})) params!: Record<string, unknown>;
  @field(versionWord) @Optional() version?: string;
  @Slug() @Optional() release?: string;
  @Matching(SESSION_ID, '1 to 128 of A-Z, a-z, 0-9, ".", "_", ":" and "-"') @Optional() session_id?: string;
  @Secrets() @Default(() => ({})) secrets!: Record<string, string>;
  @Obj() @Default(() => ({})) metadata!: Record<string, unknown>;
}

class ExecuteWorkflow extends join(WorkflowPath, RunInput) {
  @OneOf(WORKFLOW_MODES)
  @Optional()
  @Description('By default the execution_mode of the workflow')
  mode?: WorkflowMode;
}

/** The run of a sync execution, or the id of a run that continues. */
export class Execution extends partial(WorkflowRun, 'status') {
  @OneOf(WORKFLOW_RUN_STATES) status!: WorkflowRunStatus;
  @Uuid() @Optional() run_id?: string;
  @Flag() @Optional() @Description('True when the reply is the event stream of the run') streams?: boolean;
}

export class AcceptedRun {
  @Uuid() run_id!: string;
  @OneOf(WORKFLOW_RUN_STATES) status!: WorkflowRunStatus;
}

class ListRuns extends WorkflowRunFilters {
  @Id() workflow_id!: number;
}

class ListAllRuns extends WorkflowRunFilters {
  @Id() @Optional() workflow_id?: number;
}

class RunPath {
  @Uuid() run_id!: string;
}

class GetRun extends RunPath {
  @Int(0, 30) @Default(0) wait_seconds!: number;
}

class StreamRun extends RunPath {
  @Int(0, Number.MAX_SAFE_INTEGER) @Default(0) last_event_id!: number;
}

class RunLogsQuery extends ListQuery {
  @Uuid() run_id!: string;
  @PlainSort() override sort!: string;
}

class RunTimelineQuery extends ListQuery {
  @Uuid() run_id!: string;
  @Flag()
  @Default(false)
  @Description('Adds the events of all nested runs, in the order they happened')
  include_children?: boolean;
}

@AtMostOne('version', 'release')
class RerunRun extends RunPath {
  @field(versionWord) @Optional() version?: string;
  @Slug() @Optional() release?: string;
  @Secrets() @Default(() => ({})) secrets!: Record<string, string>;
}

const one = '/workflow-runs/{run_id}';

/** Executions of workflows and their runs (docs/api/workflows.md). */
export const workflowRuns = defineContract(
  { name: 'workflow-runs', service: 'workflows', tag: 'Workflows' },
  {
    executeWorkflow: {
      post: '/workflows/{workflow_id}/execute',
      summary: 'Run a workflow; sync waits for its end, async returns the id of the run, stream sends its events',
      errors: ['conflict', 'refused'],
      scope: 'invoke',
      input: ExecuteWorkflow,
      output: Execution,
      http: { body: 'large' },
      reply: { kind: 'follow', flag: 'streams', of: 'reply', endpoint: 'streamRun' },
      delivery: { slow: true, resumable: true },
    },
    listRuns: {
      get: '/workflows/{workflow_id}/runs',
      summary: 'List the runs of a workflow, without their bodies unless asked',
      input: ListRuns,
      output: page(ListedWorkflowRun),
    },
    searchRuns: {
      post: '/workflows/{workflow_id}/runs/search',
      summary: 'Search the runs of a workflow',
      scope: 'read',
      input: ListRuns,
      output: page(ListedWorkflowRun),
    },
    listAllRuns: {
      get: '/workflow-runs',
      summary: 'List the runs of all workflows, without their bodies unless asked',
      input: ListAllRuns,
      output: page(ListedWorkflowRun),
    },
    getRun: {
      get: one,
      summary: 'Get a run, waiting up to 30 s for its end',
      input: GetRun,
      output: WorkflowRun,
      delivery: { slow: true },
    },
    listRunLogs: {
      get: `${one}/logs`,
      summary: 'List what the script of a run has logged, oldest first',
      input: RunLogsQuery,
      output: page(RunLogEntry),
    },
    listRunTimeline: {
      get: `${one}/timeline`,
      summary: 'List what happened in a run, oldest first',
      input: RunTimelineQuery,
      output: page(RunTimelineEvent),
    },
    streamRun: {
      get: `${one}/stream`,
      summary: 'Follow a run as server-sent events',
      input: StreamRun,
      output: stream(RunStreamEvent),
    },
    cancelRun: {
      post: `${one}/cancel`,
      summary: 'Cancel a run that has not ended, with its nested runs',
      errors: ['conflict'],
      scope: 'invoke',
      input: RunPath,
      output: WorkflowRun,
    },
    rerunRun: {
      post: `${one}/rerun`,
      summary: 'Run a workflow again on the input of an earlier run',
      errors: ['conflict', 'refused'],
      scope: 'invoke',
      input: RerunRun,
      output: AcceptedRun,
    },
  },
);
