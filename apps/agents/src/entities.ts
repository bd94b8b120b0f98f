import { versionEntities } from '@signalbox/database';
import { SecretHolderRow } from '@signalbox/runs';
import { ActionRow } from './actions/action.entity.js';
import { AgentRow } from './agents/agent.entity.js';
import { ApplicationNameRow } from './agents/application-name.entity.js';
import { FormFieldRow } from './form-fields/form-field.entity.js';
import { TaskHookRow } from './hooks/task-hook.entity.js';
import { RoutingRuleRow } from './routing/routing-rule.entity.js';
import { SessionRow } from './sessions/session.entity.js';
import { SubAgentRow } from './sub-agents/sub-agent.entity.js';
import { TaskStepRow } from './tasks/steps/task-step.entity.js';
import { TaskEventRow, TaskTimelineRow } from './tasks/task-events.entity.js';
import { TaskRow } from './tasks/task.entity.js';

/** The entities of the tables of agents. */
export const ENTITIES = [
  AgentRow,
  ActionRow,
  ApplicationNameRow,
  FormFieldRow,
  RoutingRuleRow,
  SubAgentRow,
  ...versionEntities('agent', 'agent_id'),
  SessionRow,
  TaskRow,
  TaskStepRow,
  TaskEventRow,
  TaskTimelineRow,
  TaskHookRow,
  SecretHolderRow,
];
