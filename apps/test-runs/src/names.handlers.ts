import { Serves } from '@signalbox/bus';
import { type CallTo, type Handlers, namesOf } from '@signalbox/contracts';
import { Database, type NamedFamily, NamedResources } from '@signalbox/database';

const contract = namesOf('test-runs');

const FAMILIES: readonly NamedFamily[] = [
  { type: 'test_set', table: '"test-runs".test_sets', name: 't.name', path: '/unified-test-sets/{id}' },
  {
    type: 'evaluation_criteria',
    table: '"test-runs".evaluation_criteria',
    name: 't.name',
    path: '/evaluation-criteria/{id}',
  },
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
