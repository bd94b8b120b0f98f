import {
  Count,
  Description,
  Epoch,
  Id,
  Json,
  Nested,
  Nullable,
  OneOf,
  Optional,
  Str,
  Uuid,
} from '../../fields/fields.js';
import { FAILURE_CLASSES, type FailureClass, StreamFrame, Usage } from '../../shapes.js';

export const RUN_TIMELINE_TYPES = [
  'run_start',
  'run_restart',
  'run_end',
  'log',
  'call',
  'step',
  'child_run',
  'model_called',
  'model_answered',
  'error',
] as const;

/** One thing that happened in a run; which of the optional fields exist depends on `type`. */
export class RunTimelineEvent {
  @OneOf(RUN_TIMELINE_TYPES) type!: (typeof RUN_TIMELINE_TYPES)[number];
  @Epoch() timestamp!: number;
  @Count() @Description('Counts the events of its run from 1') seq!: number;
  @Uuid() run_id!: string;
  @Uuid() @Nullable() parent_run_id!: string | null;
  @Str() @Optional() status?: string;
  @Count() @Optional() attempt?: number;
  @Str() @Optional() level?: string;
  @Str(0, 8192) @Optional() message?: string;
  @Str() @Optional() @Description('The called member of ctx') member?: string;
  @Str() @Optional() @Description('Name of the step') name?: string;
  @Json() @Optional() @Description('What the call was about, without secrets and bodies') about?: unknown;
  @Count() @Optional() duration_ms?: number;
  @Count() @Optional() @Description('Number of the model call within its attempt') step?: number;
  @Str() @Nullable() @Optional() model?: string | null;
  @Uuid() @Nullable() @Optional() request_id?: string | null;
  @Nested(() => Usage) @Nullable() @Optional() usage?: Usage | null;
  @Str() @Nullable() @Optional() finish_reason?: string | null;
  @Uuid() @Optional() child_run_id?: string;
  @Uuid() @Optional() child_task_id?: string;
  @Id() @Optional() child_workflow_id?: number;
  @Str() @Optional() ref?: string;
  @OneOf(FAILURE_CLASSES) @Optional() failure_class?: FailureClass;
}

/** The data of one event of a run's stream (docs/api/streams.md). */
export class RunStreamEvent extends StreamFrame {
  @Uuid() run_id!: string;
}
