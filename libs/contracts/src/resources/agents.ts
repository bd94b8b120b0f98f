import { defineContract, page, stream } from '../contract.js';
import {
  Count,
  Default,
  Epoch,
  field,
  Flag,
  Id,
  Int,
  join,
  Json,
  List,
  ListOf,
  MapOf,
  Matching,
  Name,
  Nested,
  Nullable,
  Num,
  Obj,
  omit,
  OneOf,
  Optional,
  partial,
  Says,
  SemVer,
  Slug,
  Str,
  Text,
  Uuid,
} from '../fields.js';
import { type JsonSchema, stringType } from '../field-types.js';
import { AtMostOne, Checked } from '../parse.js';
import {
  Deleted,
  ERROR_CODES,
  type ErrorCode,
  FAILURE_CLASSES,
  type FailureClass,
  ListQuery,
  Message,
  ON_OFF,
  type OnOff,
  ResponseFormat,
  SECRET_NAME,
  TimedListQuery,
  Usage,
} from '../shapes.js';
import { versionEndpoints } from '../versions.js';
import { ActionConfigSchema } from './action-configs.js';
import { FormField, SubAgentLink } from './agent-parts.js';
import { modelNameType } from './companies.js';
import { Routing } from './routing.js';

/** How an agent works: a loop of choosing actions, or exactly one capability that answers. */
export const EXECUTION_MODES = ['reasoning', 'route'] as const;

class AgentBody {
  @Id() application_id!: number;
  @Name() agent_name!: string;
  @Str() @Nullable() @Optional() description?: string | null;
  @OneOf(ON_OFF) @Default('ENABLED') status!: OnOff;
  @OneOf(EXECUTION_MODES) @Default('reasoning') execution_mode!: (typeof EXECUTION_MODES)[number];
  @field(modelNameType) @Nullable() @Optional() model?: string | null;
  @Text() @Nullable() @Optional() system_prompt?: string | null;
  @Text() @Nullable() @Optional() strategy_prompt_addendum?: string | null;
  @Obj() @Default(() => ({})) agent_config!: Record<string, unknown>;
  @Int(1, 100) @Default(10) max_iterations!: number;
  @Num(0, 10_000) @Nullable() @Optional() max_cost?: number | null;
  @Nested(() => ResponseFormat) @Nullable() @Optional() response_format?: ResponseFormat | null;
  @Matching(/^https?:\/\/[^\s]{1,500}$/, 'an http or https URL') @Nullable() @Optional() base_url?: string | null;
  @Obj() @Default(() => ({})) meta!: Record<string, unknown>;
}

/** What an action can be. */
export const ACTION_TYPES = ['llm', 'api', 'webhook', 'maitai_workflow'] as const;
/** What an action can be. */
export type ActionType = (typeof ACTION_TYPES)[number];
/** What an action's result is used for. */
export const ACTION_RESULT_TYPES = ['gather_info', 'complete_task'] as const;
/** Whether the agent waits for an action. */
export const INVOCATION_MODES = ['foreground', 'background'] as const;

/** An action as it is written. */
export class ActionBody {
  @Name() action_name!: string;
  @OneOf(ACTION_TYPES) action_type!: ActionType;
  @Text() description!: string;
  @Flag() @Default(true) enabled!: boolean;
  @Obj(ActionConfigSchema as JsonSchema) @Nullable() @Optional() action_config?: Record<string, unknown> | null;
  @Obj() @Default(() => ({})) meta!: Record<string, unknown>;
  @Flag() @Default(false) is_default!: boolean;
  @OneOf(ACTION_RESULT_TYPES) @Default('gather_info') action_result_type!: (typeof ACTION_RESULT_TYPES)[number];
  @OneOf(INVOCATION_MODES) @Default('foreground') invocation_mode!: (typeof INVOCATION_MODES)[number];
}

/** A capability an agent can use: a model call, an API call, a webhook or a workflow. */
export class AgentAction {
  @Id() id!: number;
  @Str() date_created!: string;
  @Id() agent_id!: number;
  @Name() action_name!: string;
  @OneOf(ACTION_TYPES) action_type!: ActionType;
  @Text() description!: string;
  @Flag() enabled!: boolean;
  @Obj() @Nullable() action_config!: Record<string, unknown> | null;
  @Obj() meta!: Record<string, unknown>;
  @Flag() is_default!: boolean;
  @OneOf(ACTION_RESULT_TYPES) action_result_type!: (typeof ACTION_RESULT_TYPES)[number];
  @OneOf(ON_OFF) status!: OnOff;
  @OneOf(INVOCATION_MODES) invocation_mode!: (typeof INVOCATION_MODES)[number];
}

/** An agent as lists show it. */
export class AgentSummary {
  @Id() id!: number;
  @Id() @Nullable() @Says('Null once the application was deleted with force') application_id!: number | null;
  @Name() @Nullable() application_name!: string | null;
  @Name() agent_name!: string;
  @Str() @Nullable() description!: string | null;
  @OneOf(ON_OFF) status!: OnOff;
  @OneOf(EXECUTION_MODES) execution_mode!: (typeof EXECUTION_MODES)[number];
  @field(modelNameType) @Nullable() model!: string | null;
  @Text() @Nullable() system_prompt!: string | null;
  @Text() @Nullable() strategy_prompt_addendum!: string | null;
  @Obj() agent_config!: Record<string, unknown>;
  @Int(1, 100) max_iterations!: number;
  @Num() @Nullable() max_cost!: number | null;
  @Nested(() => ResponseFormat) @Nullable() response_format!: ResponseFormat | null;
  @Str() @Nullable() base_url!: string | null;
  @Obj() meta!: Record<string, unknown>;
  @Count() action_count!: number;
  @Count() sub_agent_count!: number;
  @SemVer() @Nullable() latest_version!: string | null;
  @Flag() has_unpublished_changes!: boolean;
  @Epoch() date_created!: number;
  @Epoch() date_updated!: number;
}

/** An agent with its parts. */
export class Agent extends AgentSummary {
  @ListOf(() => AgentAction) actions!: AgentAction[];
  @ListOf(() => SubAgentLink) sub_agents!: SubAgentLink[];
  @Nested(() => Routing) routing!: Routing;
  @ListOf(() => FormField) form_fields!: FormField[];
}

class AgentPath {
  @Id() agent_id!: number;
}
class ListAgents extends ListQuery {
  @Id() @Optional() application_id?: number;
  @OneOf(ON_OFF) @Optional() status?: OnOff;
}

/** Agents (api.md 2.5). */
export const agents = defineContract(
  { name: 'agents', service: 'agents', tag: 'Agents' },
  {
    listAgents: { get: '/agents', summary: 'List the agents', input: ListAgents, output: page(AgentSummary) },
    createAgent: { post: '/agents', summary: 'Create an agent', input: AgentBody, output: Agent },
    getAgent: {
      get: '/agents/{agent_id}',
      summary: 'Get an agent with its parts',
      batchable: 'agent_id',
      input: AgentPath,
      output: Agent,
    },
    updateAgent: {
      put: '/agents/{agent_id}',
      summary: 'Change the draft of an agent',
      input: join(AgentPath, partial(omit(AgentBody, 'application_id'))),
      output: Agent,
    },
    deleteAgent: { delete: '/agents/{agent_id}', summary: 'Delete an agent', input: AgentPath, output: Deleted },
    enableAgent: {
      put: '/agents/{agent_id}/enable',
      summary: 'Enable an agent',
      verb: true,
      input: AgentPath,
      output: Agent,
    },
    disableAgent: {
      put: '/agents/{agent_id}/disable',
      summary: 'Disable an agent: it can no longer be invoked',
      verb: true,
      input: AgentPath,
      output: Agent,
    },
  },
);

class ActionPath {
  @Id() action_id!: number;
}
class ListActions extends ListQuery {
  @Id() agent_id!: number;
  @Flag() @Optional() enabled?: boolean;
}
class TestAction extends ActionPath {
  @Obj() @Default(() => ({})) arguments!: Record<string, unknown>;
  @MapOf(stringType(1, 8192), SECRET_NAME, 50) @Default(() => ({})) secrets!: Record<string, string>;
}
/** The outcome of trying one action. */
export class ActionTest {
  @OneOf(['SUCCESS', 'ERROR', 'TIMEOUT']) status!: 'SUCCESS' | 'ERROR' | 'TIMEOUT';
  @Json() @Nullable() output!: unknown;
  @Count() duration_ms!: number;
  @OneOf(FAILURE_CLASSES) @Nullable() failure_class!: FailureClass | null;
  @Str(0, 4000) @Nullable() error_message!: string | null;
}

/** Actions of agents (api.md 2.5). */
export const actions = defineContract(
  { name: 'agent-actions', service: 'agents', tag: 'Agents' },
  {
    listActions: {
      get: '/agents/{agent_id}/actions',
      summary: 'List the actions of an agent',
      input: ListActions,
      output: page(AgentAction),
    },
    createAction: {
      post: '/agents/{agent_id}/actions',
      summary: 'Add an action to an agent',
      input: join(AgentPath, ActionBody),
      output: AgentAction,
    },
    getAction: {
      get: '/agents/actions/{action_id}',
      summary: 'Get an action',
      batchable: 'action_id',
      input: ActionPath,
      output: AgentAction,
    },
    updateAction: {
      put: '/agents/actions/{action_id}',
      summary: 'Change an action',
      input: join(ActionPath, partial(ActionBody)),
      output: AgentAction,
    },
    deleteAction: {
      delete: '/agents/actions/{action_id}',
      summary: 'Delete an action',
      input: ActionPath,
      output: Deleted,
    },
    enableAction: {
      put: '/agents/actions/{action_id}/enable',
      summary: 'Enable an action',
      verb: true,
      input: ActionPath,
      output: AgentAction,
    },
    disableAction: {
      put: '/agents/actions/{action_id}/disable',
      summary: 'Disable an action: it is never chosen',
      verb: true,
      input: ActionPath,
      output: AgentAction,
    },
    testAction: {
      post: '/agents/actions/{action_id}/test',
      summary: 'Run one action with given arguments; nothing is stored',
      scope: 'invoke',
      slow: true,
      input: TestAction,
      output: ActionTest,
    },
  },
);

class AgentName {
  @Id() id!: number;
  @Name() agent_name!: string;
}
/** A published version of an agent; `date_created` is epoch seconds. */
export class AgentVersion {
  @Id() id!: number;
  @SemVer() version!: string;
  @Id() agent_id!: number;
  @Str(0, 2000) notes!: string;
  @Flag() is_latest!: boolean;
  @Count() date_created!: number;
  @Nested(() => AgentName) agent!: AgentName;
  @Json() @Optional() snapshot?: unknown;
}

/** Versions and releases of agents (api.md 1.14). */
export const agentVersions = defineContract(
  { name: 'agent-versions', service: 'agents', tag: 'Agents' },
  versionEndpoints({
    root: '/agents/{agent_id}',
    path: AgentPath,
    version: AgentVersion,
    resource: Agent,
    noun: 'agent',
  }),
);

/** The states of a task. */
export const TASK_STATES = ['QUEUED', 'RUNNING', 'WAITING_WEBHOOK', 'COMPLETED', 'FAILED', 'CANCELLED'] as const;
/** The state of a task. */
export type TaskStatus = (typeof TASK_STATES)[number];
/** What started a task. */
export const TASK_TRIGGERS = ['API', 'CHAT', 'WORKFLOW', 'TEST', 'SUB_AGENT'] as const;

/** One run of an agent. */
export class Task {
  @Uuid() id!: string;
  @Id() agent_id!: number;
  @Uuid() @Nullable() parent_task_id!: string | null;
  @Str(1, 128) session_id!: string;
  @OneOf(TASK_STATES) status!: TaskStatus;
  @SemVer() @Nullable() version!: string | null;
  @Str() @Nullable() release!: string | null;
  @ListOf(() => Message) input_messages!: Message[];
  @Nested(() => Message) @Nullable() output!: Message | null;
  @Json() @Nullable() structured_output!: unknown;
  @Count() iterations!: number;
  @OneOf(FAILURE_CLASSES) @Nullable() failure_class!: FailureClass | null;
  @OneOf(ERROR_CODES) @Nullable() error_code!: ErrorCode | null;
  @Str(0, 4000) @Nullable() error_message!: string | null;
  @Nested(() => Usage) usage!: Usage;
  @Count() @Nullable() duration_ms!: number | null;
  @Epoch() @Nullable() started_at!: number | null;
  @Epoch() @Nullable() completed_at!: number | null;
  @OneOf(TASK_TRIGGERS) trigger!: (typeof TASK_TRIGGERS)[number];
  @Obj() metadata!: Record<string, unknown>;
  @Epoch() date_created!: number;
}

const SESSION_ID = /^[A-Za-z0-9._:-]{1,128}$/;

@AtMostOne('version', 'release')
@Checked<InvokeAgent>(({ message, messages, wait, stream: streamed }) =>
  message === undefined && messages === undefined
    ? { field: 'message', message: 'is required when messages is absent' }
    : streamed && !wait
      ? { field: 'stream', message: 'cannot be combined with wait: false' }
      : undefined,
)
class InvokeAgent extends AgentPath {
  @Str(0, 1_000_000) @Optional() message?: string;
  @ListOf(() => Message, 1, 1000) @Optional() messages?: Message[];
  @SemVer() @Optional() version?: string;
  @Slug() @Optional() release?: string;
  @Matching(SESSION_ID, '1 to 128 of A-Z, a-z, 0-9, ".", "_", ":" and "-"') @Optional() session_id?: string;
  @Int(1, 100) @Optional() max_iterations?: number;
  @MapOf(stringType(1, 8192), SECRET_NAME, 50) @Default(() => ({})) secrets!: Record<string, string>;
  @Flag() @Default(true) wait!: boolean;
  @Nested(() => ResponseFormat) @Nullable() @Optional() response_format?: ResponseFormat | null;
  @Flag() @Default(false) stream!: boolean;
  @Obj() @Default(() => ({})) state!: Record<string, unknown>;
  @Obj() @Default(() => ({})) metadata!: Record<string, unknown>;
  @Num(0, 10_000) @Nullable() @Optional() max_cost?: number | null;
}

class Choice {
  @Count() index!: number;
  @Nested(() => Message) message!: Message;
  @Str() finish_reason!: string;
}
/** The answer of an agent in the OpenAI shape, or the ids of a task that goes on. */
export class Invocation {
  @Str() @Optional() id?: string;
  @Uuid() task_id!: string;
  @Str() session_id!: string;
  @OneOf(TASK_STATES) @Optional() status?: TaskStatus;
  @Epoch() @Optional() hook_expires_at?: number;
  @Str() @Optional() object?: string;
  @Count() @Optional() created?: number;
  @Str() @Optional() model?: string;
  @ListOf(() => Choice) @Optional() choices?: Choice[];
  @Nested(() => Usage) @Optional() usage?: Usage;
  @Json() @Nullable() @Optional() structured_output?: unknown;
}

class TaskPath extends AgentPath {
  @Uuid() task_id!: string;
}
class GetTask extends TaskPath {
  @Int(0, 30) @Default(0) wait_seconds!: number;
}
class ListTasks extends TimedListQuery {
  @Id() agent_id!: number;
  @List({ ...stringType(1, 20) }) @Optional() status?: string[];
  @Str(1, 128) @Optional() session_id?: string;
  @Str(1, 64) @Optional() release?: string;
  @SemVer() @Optional() version?: string;
}
class TimelineQuery extends ListQuery {
  @Id() agent_id!: number;
  @Uuid() task_id!: string;
}
class StreamTask extends TaskPath {
  @Int(0, Number.MAX_SAFE_INTEGER) @Default(0) last_event_id!: number;
}

/** What can happen in a task, as its timeline tells it. */
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
  'error',
] as const;

/** One thing that happened in a task; which of the optional fields are there depends on `type`. */
export class TimelineEvent {
  @OneOf(TIMELINE_TYPES) type!: (typeof TIMELINE_TYPES)[number];
  @Epoch() timestamp!: number;
  @Uuid() task_id!: string;
  @Str() @Optional() role?: string;
  @Json() @Nullable() @Optional() content?: unknown;
  @Str() @Optional() status?: string;
  @Id() @Optional() action_id?: number;
  @Name() @Optional() action_name?: string;
  @Json() @Optional() arguments?: unknown;
  @Json() @Nullable() @Optional() output?: unknown;
  @Count() @Optional() duration_ms?: number;
  @Uuid() @Optional() child_task_id?: string;
  @Id() @Optional() rule_id?: number;
  @Json() @Optional() route?: unknown;
  @Json() @Optional() changes?: unknown;
  @Epoch() @Optional() hook_expires_at?: number;
  @Str(0, 4000) @Optional() message?: string;
  @OneOf(FAILURE_CLASSES) @Optional() failure_class?: FailureClass;
}

/** The data of one event of a task's stream (api.md 1.13). */
export class TaskEvent {
  @Str() type!: string;
  @Count() seq!: number;
  @Epoch() timestamp!: number;
  @Uuid() task_id!: string;
}

/** Tasks of agents (api.md 2.5). */
export const tasks = defineContract(
  { name: 'agent-tasks', service: 'agents', tag: 'Agents' },
  {
    invokeAgent: {
      post: '/agents/{agent_id}/invoke',
      summary: 'Run an agent and, by default, wait for its answer',
      scope: 'invoke',
      body: 'large',
      slow: true,
      follow: { flag: 'stream', endpoint: 'streamTask' },
      input: InvokeAgent,
      output: Invocation,
    },
    listTasks: {
      get: '/agents/{agent_id}/tasks',
      summary: 'List the tasks of an agent',
      input: ListTasks,
      output: page(Task),
    },
    getTask: {
      get: '/agents/{agent_id}/tasks/{task_id}',
      summary: 'Get a task, waiting up to 30 s for its end',
      slow: true,
      input: GetTask,
      output: Task,
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
      output: stream(TaskEvent),
    },
    cancelTask: {
      post: '/agents/{agent_id}/tasks/{task_id}/cancel',
      summary: 'Cancel a task that has not ended',
      scope: 'invoke',
      input: TaskPath,
      output: Task,
    },
  },
);

class AnswerHook {
  @Str(1, 2000) hook_key!: string;
  @Json() @Nullable() payload!: unknown;
}
/** The answer to a callback that was accepted. */
export class Resumed {
  @Flag() resumed!: boolean;
}

/** One-use addresses on which tasks wait to be called back (api.md 2.5). */
export const hooks = defineContract(
  { name: 'agent-hooks', service: 'agents', tag: 'Agents' },
  {
    answerHook: {
      post: '/hooks/agents/{hook_key}',
      summary: 'Answer a task that waits for a callback; any JSON, no key',
      scope: 'none',
      whole: 'payload',
      input: AnswerHook,
      output: Resumed,
    },
  },
);

/** A conversation with an agent. */
export class AgentSession {
  @Str(1, 128) session_id!: string;
  @Id() agent_id!: number;
  @Count() task_count!: number;
  @Obj() state!: Record<string, unknown>;
  @Int(1, 5) @Nullable() feedback_score!: number | null;
  @Str(0, 4000) @Nullable() feedback_text!: string | null;
  @Epoch() last_activity!: number;
  @Epoch() date_created!: number;
  @Epoch() date_updated!: number;
}
class SessionPath extends AgentPath {
  @Str(1, 128) session_id!: string;
}
class SessionListQuery extends ListQuery {
  @Id() agent_id!: number;
  @Str(1, 128) session_id!: string;
}
class AgentListQuery extends ListQuery {
  @Id() agent_id!: number;
}
@Checked<FeedbackBody>(({ feedback_score, feedback_text }) =>
  feedback_score == null && feedback_text == null
    ? { field: 'feedback_score', message: 'is required when feedback_text is absent' }
    : undefined,
)
class FeedbackBody extends SessionPath {
  @Int(1, 5) @Nullable() @Optional() feedback_score?: number | null;
  @Str(0, 4000) @Nullable() @Optional() feedback_text?: string | null;
}
class StateBody extends SessionPath {
  @Obj() state!: Record<string, unknown>;
}
/** What a person thought of a session. */
export class Feedback {
  @Str() session_id!: string;
  @Int(1, 5) @Nullable() feedback_score!: number | null;
  @Str(0, 4000) @Nullable() feedback_text!: string | null;
  @Id() @Nullable() key_id!: number | null;
  @Epoch() date_updated!: number;
}

const session = '/agents/{agent_id}/sessions/{session_id}';

/** Sessions of agents (api.md 2.5). */
export const agentSessions = defineContract(
  { name: 'agent-sessions', service: 'agents', tag: 'Agents' },
  {
    listAgentSessions: {
      get: '/agents/{agent_id}/sessions',
      summary: 'List the sessions of an agent',
      input: AgentListQuery,
      output: page(AgentSession),
    },
    getAgentSession: { get: session, summary: 'Get a session', input: SessionPath, output: AgentSession },
    deleteAgentSession: { delete: session, summary: 'Delete a session', input: SessionPath, output: Deleted },
    updateAgentSessionState: {
      put: `${session}/state`,
      summary: 'Change values of the state of a session; those not named stay',
      input: StateBody,
      output: AgentSession,
    },
    listAgentSessionTimeline: {
      get: `${session}/timeline`,
      summary: 'List what happened in a session, oldest first',
      input: SessionListQuery,
      output: page(TimelineEvent),
    },
    listAgentSessionTasks: {
      get: `${session}/tasks`,
      summary: 'List the tasks of a session',
      input: SessionListQuery,
      output: page(Task),
    },
    getAgentSessionFeedback: {
      get: `${session}/feedback`,
      summary: 'Get the feedback on a session',
      input: SessionPath,
      output: Feedback,
    },
    setAgentSessionFeedback: {
      post: `${session}/feedback`,
      summary: 'Set the feedback on a session, replacing earlier feedback',
      input: FeedbackBody,
      output: Feedback,
    },
    deleteAgentSessionFeedback: {
      delete: `${session}/feedback`,
      summary: 'Remove the feedback on a session',
      input: SessionPath,
      output: Deleted,
    },
  },
);
