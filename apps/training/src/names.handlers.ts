import { Serves } from '@signalbox/bus';
import { namesOf } from '@signalbox/contracts';
import { Database, type NamedFamily, NamedResources } from '@signalbox/database';

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

@Serves(namesOf('training'))
export class NameHandlers extends NamedResources {
  constructor(db: Database) {
    super(db, FAMILIES);
  }
}
