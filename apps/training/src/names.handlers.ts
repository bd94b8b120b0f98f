import { Serves } from '@signalbox/bus';
import { type CallTo, type Handlers, namesOf } from '@signalbox/contracts';
import { Database, type NamedFamily, NamedResources } from '@signalbox/database';

const contract = namesOf('training');

const FAMILIES: readonly NamedFamily[] = [
  { type: 'dataset', table: 'training.datasets', name: 't.dataset_name', path: '/datasets/{id}' },
  { type: 'composition', table: 'training.compositions', name: 't.composition_name', path: '/compositions/{id}' },
  {
    type: 'finetune_run',
    table: 'training.finetune_runs',
    id: 't.no::int',
    name: 't.run_name',
    path: '/finetune-runs/{id}',
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
