import { defineContract } from '../../contract.js';
import { page } from '../../contract/outputs.js';
import {
  Count,
  Default,
  Flag,
  Id,
  join,
  Json,
  Name,
  Nullable,
  Obj,
  OneOf,
  Optional,
  partial,
  Str,
  Text,
} from '../../fields/fields.js';
import type { JsonSchema } from '../../fields/field-types.js';
import { Deleted, FAILURE_CLASSES, type FailureClass, ListQuery, ON_OFF, type OnOff, Secrets } from '../../shapes.js';
import { ActionConfigSchema } from './action-configs.js';
import { AgentPath } from './agent-path.js';
import { switchEndpoints } from '../switch-endpoints.js';

export const ACTION_TYPES = ['llm', 'api', 'webhook', 'maitai_workflow'] as const;
export type ActionType = (typeof ACTION_TYPES)[number];
/** The purposes of an action's result. */
export const ACTION_RESULT_TYPES = ['gather_info', 'complete_task'] as const;
/** Whether the agent waits for an action. */
export const INVOCATION_MODES = ['foreground', 'background'] as const;

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

/** A capability of an agent: a model call, an API call, a webhook or a workflow. */
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

class ActionPath {
  @Id() action_id!: number;
}
class ListActions extends ListQuery {
  @Id() agent_id!: number;
  @Flag() @Optional() enabled?: boolean;
}
class TestAction extends ActionPath {
  @Obj() @Default(() => ({})) arguments!: Record<string, unknown>;
  @Secrets() @Default(() => ({})) secrets!: Record<string, string>;
}
export class ActionTest {
  @OneOf(['SUCCESS', 'ERROR', 'TIMEOUT']) status!: 'SUCCESS' | 'ERROR' | 'TIMEOUT';
  @Json() @Nullable() output!: unknown;
  @Count() duration_ms!: number;
  @OneOf(FAILURE_CLASSES) @Nullable() failure_class!: FailureClass | null;
  @Str(0, 4000) @Nullable() error_message!: string | null;
}

const switched = switchEndpoints('/agents/actions/{action_id}', ActionPath, AgentAction, {
  enable: 'Enable an action',
  disable: 'Disable an action; it is no longer chosen',
});

/** Actions of agents (docs/api/agents.md). */
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
      errors: ['conflict', 'refused'],
      input: join(AgentPath, ActionBody),
      output: AgentAction,
    },
    getAction: {
      get: '/agents/actions/{action_id}',
      summary: 'Get an action',
      input: ActionPath,
      output: AgentAction,
      delivery: { batchable: 'action_id' },
    },
    updateAction: {
      put: '/agents/actions/{action_id}',
      summary: 'Change an action',
      errors: ['conflict', 'refused'],
      input: join(ActionPath, partial(ActionBody)),
      output: AgentAction,
    },
    deleteAction: {
      delete: '/agents/actions/{action_id}',
      summary: 'Delete an action',
      errors: ['conflict'],
      input: ActionPath,
      output: Deleted,
    },
    enableAction: switched.enable,
    disableAction: switched.disable,
    testAction: {
      post: '/agents/actions/{action_id}/test',
      summary: 'Run one action with given arguments; nothing is stored',
      scope: 'invoke',
      input: TestAction,
      output: ActionTest,
      delivery: { slow: true },
      placement: { onWorkers: true },
    },
  },
);
