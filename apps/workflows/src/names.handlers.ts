import { Serves } from '@signalbox/bus';
import { namesOf } from '@signalbox/contracts';
import { Database, type NamedFamily, NamedResources } from '@signalbox/database';

const FAMILIES: readonly NamedFamily[] = [
  { type: 'workflow', table: 'workflows.workflows', name: 't.workflow_name', path: '/workflows/{id}' },
  { type: 'workflow_run', table: 'workflows.runs', idType: 'uuid', path: '/workflow-runs/{id}', alive: 'true' },
];

@Serves(namesOf('workflows'))
export class NameHandlers extends NamedResources {
  constructor(db: Database) {
    super(db, FAMILIES);
  }
}
