import { Serves } from '@signalbox/bus';
import { type CallTo, type Handlers, namesOf } from '@signalbox/contracts';
import { Database, type NamedFamily, NamedResources } from '@signalbox/database';

const contract = namesOf('workflows');

const FAMILIES: readonly NamedFamily[] = [
  { type: 'workflow', table: 'workflows.workflows', name: 't.workflow_name', path: '/workflows/{id}' },
  { type: 'workflow_run', table: 'workflows.runs', idType: 'uuid', path: '/workflow-runs/{id}', alive: 'true' },
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
