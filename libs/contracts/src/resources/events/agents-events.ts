import { defineEvents } from '../../events.js';
import { Nullable, Description, omit, Str } from '../../fields/fields.js';
import { AgentAction } from '../agents/agent-actions.js';
import { TaskSummary } from '../agents/tasks/agent-tasks.js';
import { AgentSummary } from '../agents/agents.js';
import { McpServerSummary } from '../agents/mcp-servers.js';
import { Gone, ReleaseMoved, VersionPublished } from './event-data.js';

export class AgentRecord extends omit(AgentSummary, 'system_prompt', 'strategy_prompt_addendum') {}

export class ActionRecord extends omit(AgentAction, 'action_config') {}

export class McpServerRecord extends omit(McpServerSummary, 'headers') {}

/** An MCP server of which a call found a tool changed. */
export class McpServerDrifted extends McpServerRecord {
  @Str(1, 128) tool!: string;
  @Str() @Nullable() @Description('Null when the server has the tool no longer') schema_hash!: string | null;
}

export class TaskRecord extends omit(TaskSummary, 'first_message', 'waiting') {}

/** The events of agents. */
export const agentEvents = defineEvents('agents', {
  'agent.created': { resource: 'agent', data: AgentRecord, description: 'An agent was created' },
  'agent.updated': { resource: 'agent', data: AgentRecord, description: 'The draft of an agent was changed' },
  'agent.deleted': { resource: 'agent', data: Gone, description: 'An agent was deleted' },
  'agent.enabled': { resource: 'agent', data: AgentRecord, description: 'An agent was enabled' },
  'agent.disabled': { resource: 'agent', data: AgentRecord, description: 'An agent was disabled' },
  'agent_action.created': { resource: 'agent_action', data: ActionRecord, description: 'An action was added' },
  'agent_action.updated': { resource: 'agent_action', data: ActionRecord, description: 'An action was changed' },
  'agent_action.deleted': { resource: 'agent_action', data: Gone, description: 'An action was deleted' },
  'agent_action.enabled': { resource: 'agent_action', data: ActionRecord, description: 'An action was enabled' },
  'agent_action.disabled': { resource: 'agent_action', data: ActionRecord, description: 'An action was disabled' },
  'agent.routing_updated': { resource: 'agent', data: AgentRecord, description: 'The routing of an agent was changed' },
  'agent.version_published': { resource: 'agent', data: VersionPublished, description: 'A version was published' },
  'agent.release_moved': { resource: 'agent', data: ReleaseMoved, description: 'A release was moved' },
  'mcp_server.created': { resource: 'mcp_server', data: McpServerRecord, description: 'An MCP server was created' },
  'mcp_server.updated': {
    resource: 'mcp_server',
    data: McpServerRecord,
    description: 'An MCP server or its tools were changed',
  },
  'mcp_server.deleted': { resource: 'mcp_server', data: Gone, description: 'An MCP server was deleted' },
  'mcp_server.drifted': {
    resource: 'mcp_server',
    data: McpServerDrifted,
    description: 'A call found a tool of an MCP server changed and was refused',
  },
  'agent_task.queued': { resource: 'agent_task', data: TaskRecord, description: 'A task was accepted' },
  'agent_task.started': { resource: 'agent_task', data: TaskRecord, description: 'A worker started a task' },
  'agent_task.waiting': { resource: 'agent_task', data: TaskRecord, description: 'A task waits for a callback' },
  'agent_task.completed': { resource: 'agent_task', data: TaskRecord, description: 'A task ended with an answer' },
  'agent_task.failed': { resource: 'agent_task', data: TaskRecord, description: 'A task ended without an answer' },
  'agent_task.cancelled': { resource: 'agent_task', data: TaskRecord, description: 'A task was cancelled' },
});
