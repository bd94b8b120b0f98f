import { Serves } from '@signalbox/bus';
import { type CallTo, type Handlers, namesOf } from '@signalbox/contracts';
import { Database, type NamedFamily, NamedResources } from '@signalbox/database';

const contract = namesOf('agents');

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
];

/** Finds resources of this service by name or id. */
@Serves(contract)
export class NameHandlers implements Handlers<typeof contract> {
  private readonly resources: NamedResources;

  constructor(db: Database) {
    this.resources = new NamedResources(db, FAMILIES);
  }

  findNames({ input, caller }: CallTo<typeof contract, 'findNames'>) {
    return this.resources.find(caller.companyId, input);
  }
}
