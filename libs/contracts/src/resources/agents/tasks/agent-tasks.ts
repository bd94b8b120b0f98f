import { defineContract } from '../../../contract.js';
import { page, stream } from '../../../contract/outputs.js';
import { oneOfType } from '../../../fields/field-types.js';
import {
  Count,
  Default,
  Description,
  Epoch,
  field,
  Flag,
  Id,
  Int,
  Json,
  List,
  ListOf,
  Name,
  Nested,
  Nullable,
  Num,
  Obj,
  OneOf,
  Optional,
  SemVer,
  Str,
  Uuid,
} from '../../../fields/fields.js';
import {
  ERROR_CODES,
  type ErrorCode,
  FAILURE_CLASSES,
  type FailureClass,
  ListQuery,
  Message,
  TimedListQuery,
  Usage,
} from '../../../shapes.js';
import { versionWord } from '../../../versions/versions.js';
import { AgentPath } from '../agent-path.js';
import { Invocation, InvokeAgent } from './invocations.js';
import { TaskStreamEvent, TimelineEvent } from './task-timelines.js';
import { TASK_STATES, TASK_TRIGGERS, type TaskStatus } from './task-states.js';

export class TaskWaiting {
  @Name() @Nullable() @Description('Null for a task whose sub-agent waits') action_name!: string | null;
  @Epoch() @Nullable() hook_expires_at!: number | null;
}

/** One run of an agent without its bodies, as lists show it. */
export class TaskSummary {
  @Uuid() id!: string;
  @Id() agent_id!: number;
  @Uuid() @Nullable() parent_task_id!: string | null;
  @Str(1, 128) session_id!: string;
  @OneOf(TASK_STATES) status!: TaskStatus;
  @SemVer() @Nullable() version!: string | null;
  @Str(0, 200)
  @Nullable()
  @Description('The version that the program of an EXTERNAL agent reports when it is no semantic version')
  reported_version!: string | null;
  @Str() @Nullable() release!: string | null;
  @Str(0, 200) @Nullable() @Description('Beginning of the first message of the user') first_message!: string | null;
  @Nested(() => TaskWaiting) @Nullable() waiting!: TaskWaiting | null;
  @Count() iterations!: number;
  @OneOf(FAILURE_CLASSES) @Nullable() failure_class!: FailureClass | null;
  @OneOf(ERROR_CODES) @Nullable() error_code!: ErrorCode | null;
  @Str(0, 4000) @Nullable() error_message!: string | null;
  @Nested(() => Usage) usage!: Usage;
  @Num(0) @Nullable() cost!: number | null;
  @Count() @Nullable() duration_ms!: number | null;
  @Epoch() @Nullable() started_at!: number | null;
  @Epoch() @Nullable() completed_at!: number | null;
  @OneOf(TASK_TRIGGERS) trigger!: (typeof TASK_TRIGGERS)[number];
  @Obj() metadata!: Record<string, unknown>;
  @Epoch() date_created!: number;
}

export class Task extends TaskSummary {
  @ListOf(() => Message) input_messages!: Message[];
  @Nested(() => Message) @Nullable() output!: Message | null;
  @Json() @Nullable() structured_output!: unknown;
}

/** One run of an agent in a list: with its bodies when they were asked for. */
export class ListedTask extends TaskSummary {
  @ListOf(() => Message) @Optional() input_messages?: Message[];
  @Nested(() => Message) @Nullable() @Optional() output?: Message | null;
  @Json() @Nullable() @Optional() structured_output?: unknown;
}

class TaskPath extends AgentPath {
  @Uuid() task_id!: string;
}
class GetTask extends TaskPath {
  @Int(0, 30) @Default(0) wait_seconds!: number;
}
class AnyTaskPath {
  @Uuid() task_id!: string;
}
class GetAnyTask extends AnyTaskPath {
  @Int(0, 30) @Default(0) wait_seconds!: number;
}

export class TaskFilters extends TimedListQuery {
  @List(oneOfType(TASK_STATES), 1) @Optional() status?: TaskStatus[];
  @List(oneOfType(FAILURE_CLASSES), 1) @Optional() failure_class?: FailureClass[];
  @List(oneOfType(ERROR_CODES), 1) @Optional() error_code?: ErrorCode[];
  @List(oneOfType(TASK_TRIGGERS), 1) @Optional() trigger?: (typeof TASK_TRIGGERS)[number][];
  @Str(1, 128) @Optional() session_id?: string;
  @Str(1, 64) @Optional() release?: string;
  @field(versionWord) @Optional() version?: string;
  @Str(1, 1000) @Optional() @Description('Found in messages and output') text?: string;
  @Count() @Optional() min_duration_ms?: number;
  @Num(0) @Optional() min_cost?: number;
  @Flag() @Default(false) @Description('Adds messages and output') include_body?: boolean;
}
class ListTasks extends TaskFilters {
  @Id() agent_id!: number;
}
class ListAllTasks extends TaskFilters {
  @Id() @Optional() agent_id?: number;
}
class TimelineQuery extends ListQuery {
  @Id() agent_id!: number;
  @Uuid() task_id!: string;
  @Flag()
  @Default(false)
  @Description('Adds the events of all sub-agents, in the order they happened')
  include_children?: boolean;
}
class StreamTask extends TaskPath {
  @Int(0, Number.MAX_SAFE_INTEGER) @Default(0) last_event_id!: number;
}

/** Tasks of agents (docs/api/agents.md). */
export const tasks = defineContract(
  { name: 'agent-tasks', service: 'agents', tag: 'Agents' },
  {
    invokeAgent: {
      post: '/agents/{agent_id}/invoke',
      summary: 'Run an agent and, by default, wait for its answer',
      errors: ['conflict', 'refused', 'bad_upstream'],
      scope: 'invoke',
      input: InvokeAgent,
      output: Invocation,
      http: { body: 'large' },
      reply: { kind: 'follow', flag: 'stream', endpoint: 'streamTask' },
      delivery: { slow: true, resumable: true },
      placement: { onWorkers: true },
    },
    listTasks: {
      get: '/agents/{agent_id}/tasks',
      summary: 'List the tasks of an agent, without their messages unless asked',
      input: ListTasks,
      output: page(ListedTask),
    },
    listAllTasks: {
      get: '/agents/tasks',
      summary: 'List the tasks of all agents, without their messages unless asked',
      input: ListAllTasks,
      output: page(ListedTask),
    },
    getAnyTask: {
      get: '/agents/tasks/{task_id}',
      summary: 'Get a task of any agent, waiting up to 30 s for its end',
      input: GetAnyTask,
      output: Task,
      delivery: { slow: true },
    },
    getTask: {
      get: '/agents/{agent_id}/tasks/{task_id}',
      summary: 'Get a task, waiting up to 30 s for its end',
      input: GetTask,
      output: Task,
      delivery: { slow: true },
    },
    listTaskTimeline: {
      get: '/agents/{agent_id}/tasks/{task_id}/timeline',
      summary: 'List what happened in a task, oldest first',
      input: TimelineQuery,
      output: page(TimelineEvent),
    },
    streamTask: {
      get: '/agents/{agent_id}/tasks/{task_id}/stream',
      summary: 'Follow a task as server-sent events',
      input: StreamTask,
      output: stream(TaskStreamEvent),
    },
    cancelTask: {
      post: '/agents/{agent_id}/tasks/{task_id}/cancel',
      summary: 'Cancel a task that has not ended',
      errors: ['conflict'],
      scope: 'invoke',
      input: TaskPath,
      output: Task,
    },
  },
);
