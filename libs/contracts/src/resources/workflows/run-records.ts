import { oneOfType } from '../../fields/field-types.js';
import {
  Count,
  Default,
  Description,
  Epoch,
  field,
  Flag,
  Id,
  Json,
  List,
  ListOf,
  Nested,
  Nullable,
  Num,
  Obj,
  OneOf,
  Optional,
  SemVer,
  Slug,
  Str,
  Uuid,
} from '../../fields/fields.js';
import {
  ERROR_CODES,
  type ErrorCode,
  FAILURE_CLASSES,
  type FailureClass,
  Message,
  TimedListQuery,
  Usage,
} from '../../shapes.js';
import { versionWord } from '../../versions/versions.js';
import {
  LOG_LEVELS,
  type LogLevel,
  WORKFLOW_RUN_STATES,
  WORKFLOW_TRIGGERS,
  type WorkflowRunStatus,
  type WorkflowTrigger,
} from './run-states.js';
import { WORKFLOW_MODES, type WorkflowMode } from './workflows.js';

/** One message that a script has logged. */
export class RunLogEntry {
  @Epoch() timestamp!: number;
  @OneOf(LOG_LEVELS) level!: LogLevel;
  @Str(0, 8192) message!: string;
}

/** One run of a workflow without its bodies, as lists and events show it. */
export class WorkflowRunSummary {
  @Uuid() id!: string;
  @Id() workflow_id!: number;
  @SemVer() @Nullable() @Description('Null for a run of the draft') workflow_version!: string | null;
  @Slug() @Nullable() release!: string | null;
  @Str(1, 128) session_id!: string;
  @OneOf(WORKFLOW_RUN_STATES) status!: WorkflowRunStatus;
  @OneOf(WORKFLOW_TRIGGERS) trigger!: WorkflowTrigger;
  @OneOf(WORKFLOW_MODES) mode!: WorkflowMode;
  @Str(0, 200) @Nullable() @Description('Beginning of the first message, or of the input') first_message!:
    string | null;
  @OneOf(FAILURE_CLASSES) @Nullable() failure_class!: FailureClass | null;
  @OneOf(ERROR_CODES) @Nullable() error_code!: ErrorCode | null;
  @Str(0, 4000) @Nullable() error_message!: string | null;
  @Nested(() => Usage) usage!: Usage;
  @Num(0) @Nullable() cost!: number | null;
  @Count() attempts!: number;
  @Uuid() @Nullable() parent_run_id!: string | null;
  @Obj() metadata!: Record<string, unknown>;
  @Count() @Nullable() duration_ms!: number | null;
  @Epoch() @Nullable() started_at!: number | null;
  @Epoch() @Nullable() completed_at!: number | null;
  @Epoch() date_created!: number;
}

export class WorkflowRun extends WorkflowRunSummary {
  @Json() @Nullable() input!: unknown;
  @ListOf(() => Message) @Nullable() messages!: Message[] | null;
  @Obj() params!: Record<string, unknown>;
  @Json() @Nullable() output!: unknown;
  @Json() @Nullable() transformed_session!: unknown;
  @Str(0, 4000) @Nullable() @Description('Why the session was not transformed') transform_error!: string | null;
  @ListOf(() => RunLogEntry) logs!: RunLogEntry[];
}

/** One run of a workflow in a list: with its bodies when they were asked for. */
export class ListedWorkflowRun extends WorkflowRunSummary {
  @Json() @Nullable() @Optional() input?: unknown;
  @ListOf(() => Message) @Nullable() @Optional() messages?: Message[] | null;
  @Obj() @Optional() params?: Record<string, unknown>;
  @Json() @Nullable() @Optional() output?: unknown;
  @Json() @Nullable() @Optional() transformed_session?: unknown;
}

export class WorkflowRunFilters extends TimedListQuery {
  @List(oneOfType(WORKFLOW_RUN_STATES), 1) @Optional() status?: WorkflowRunStatus[];
  @List(oneOfType(FAILURE_CLASSES), 1) @Optional() failure_class?: FailureClass[];
  @List(oneOfType(ERROR_CODES), 1) @Optional() error_code?: ErrorCode[];
  @List(oneOfType(WORKFLOW_TRIGGERS), 1) @Optional() trigger?: WorkflowTrigger[];
  @Str(1, 128) @Optional() session_id?: string;
  @Str(1, 64) @Optional() release?: string;
  @field(versionWord) @Optional() version?: string;
  @Str(1, 1000) @Optional() @Description('Found in input, messages and output') text?: string;
  @Count() @Optional() min_duration_ms?: number;
  @Num(0) @Optional() min_cost?: number;
  @Flag() @Default(false) @Description('Adds input, messages, params and outputs') include_body?: boolean;
}
