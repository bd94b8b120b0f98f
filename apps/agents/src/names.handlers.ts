import { Serves } from '@signalbox/bus';
import { namesOf } from '@signalbox/contracts';
import { Database, type NamedFamily, NamedResources } from '@signalbox/database';

const FAMILIES: readonly NamedFamily[] = [
  { type: 'agent', table: 'agents.agents', name: 't.agent_name', path: '/agents/{id}' },
  {
    type: 'agent_action',
    table: 'agents.actions',
    name: 't.action_name',
    path: '/agents/actions/{id}',
    parent: { type: 'agent', table: 'agents.agents', id: 't.agent_id', name: 'agent_name' },
  },
  { type: 'agent_task', table: 'agents.tasks', idType: 'uuid', path: '/agents/tasks/{id}', alive: 'true' },
  { type: 'mcp_server', table: 'agents.mcp_servers', name: 't.name', path: '/mcp-servers/{id}' },
];

@Serves(namesOf('agents'))
export class NameHandlers extends NamedResources {
  constructor(db: Database) {
    super(db, FAMILIES);
  }
}
