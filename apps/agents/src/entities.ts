import { versionEntities } from '@signalbox/database';
import { SecretHolderRow } from '@signalbox/runs';
import { ActionRow } from './actions/index.js';
import { AgentRow, ApplicationNameRow } from './drafts/index.js';
import { FormFieldRow } from './form-fields/index.js';
import { TaskHookRow } from './hooks/index.js';
import { McpServerRow } from './mcp-servers/index.js';
import { RoutingRuleRow } from './routing/index.js';
import { SessionRow } from './sessions/index.js';
import { SubAgentRow } from './sub-agents/index.js';
import { TaskEventRow, TaskRow, TaskStepRow, TaskTimelineRow } from './tasks/index.js';

export const ENTITIES = [
  AgentRow,
  ActionRow,
  ApplicationNameRow,
  FormFieldRow,
  McpServerRow,
  RoutingRuleRow,
  SubAgentRow,
  ...versionEntities('agent', 'agent_id', { models: 'jsonb' }),
  SessionRow,
  TaskRow,
  TaskStepRow,
  TaskEventRow,
  TaskTimelineRow,
  TaskHookRow,
  SecretHolderRow,
];
