import {
  Count,
  Description,
  Epoch,
  Id,
  Json,
  Name,
  Nested,
  Nullable,
  OneOf,
  Optional,
  Str,
  Uuid,
} from '../../../fields/fields.js';
import { FAILURE_CLASSES, type FailureClass, StreamFrame, Usage } from '../../../shapes.js';
import { ACTION_TYPES, type ActionType } from '../agent-actions.js';
import { TASK_STATES, type TaskStatus } from './task-states.js';

export const TIMELINE_TYPES = [
  'message',
  'task_start',
  'task_end',
  'action_invoked',
  'action_result',
  'sub_agent_invoked',
  'routing',
  'state_update',
  'waiting_webhook',
  'model_called',
  'model_answered',
  'error',
] as const;

/** How the task of a sub-agent has ended. */
export class ChildResult {
  @OneOf(TASK_STATES) status!: TaskStatus;
  @Json() @Nullable() output!: unknown;
  @OneOf(FAILURE_CLASSES) @Nullable() failure_class!: FailureClass | null;
  @Str(0, 4000) @Nullable() error_message!: string | null;
}

/** One thing that happened in a task; which of the optional fields are there depends on `type`. */
export class TimelineEvent {
  @OneOf(TIMELINE_TYPES) type!: (typeof TIMELINE_TYPES)[number];
  @Epoch() timestamp!: number;
  @Count() @Description('Counts the events of its task from 1') seq!: number;
  @Uuid() task_id!: string;
  @Uuid() @Nullable() parent_task_id!: string | null;
  @Str() @Optional() role?: string;
  @Json() @Nullable() @Optional() content?: unknown;
  @Str() @Optional() status?: string;
  @Id() @Optional() action_id?: number;
  @Name() @Optional() action_name?: string;
  @OneOf([...ACTION_TYPES, 'mcp'])
  @Optional()
  @Description('mcp for a tool of an MCP server, which has no action_id')
  action_type?: ActionType | 'mcp';
  @Id() @Optional() mcp_server_id?: number;
  @Json() @Optional() arguments?: unknown;
  @Json() @Nullable() @Optional() output?: unknown;
  @Count() @Optional() duration_ms?: number;
  @Uuid() @Optional() child_task_id?: string;
  @Id() @Optional() child_agent_id?: number;
  @Name() @Optional() child_agent_name?: string;
  @Nested(() => ChildResult) @Optional() @Description('How the sub-agent has ended') result?: ChildResult;
  @Count() @Optional() @Description('Number of the step: of a call of a model, or of a tool elsewhere') step?: number;
  @Str() @Nullable() @Optional() model?: string | null;
  @Uuid() @Nullable() @Optional() request_id?: string | null;
  @Nested(() => Usage) @Nullable() @Optional() usage?: Usage | null;
  @Str() @Nullable() @Optional() finish_reason?: string | null;
  @Id() @Optional() rule_id?: number;
  @Json() @Optional() route?: unknown;
  @Json() @Optional() changes?: unknown;
  @Epoch() @Optional() hook_expires_at?: number;
  @Str(0, 4000) @Optional() message?: string;
  @OneOf(FAILURE_CLASSES) @Optional() failure_class?: FailureClass;
}

/** The data of one event of a task's stream (docs/api/streams.md). */
export class TaskStreamEvent extends StreamFrame {
  @Uuid() task_id!: string;
}
