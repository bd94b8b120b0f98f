import { Serves } from '@signalbox/bus';
import { namesOf } from '@signalbox/contracts';
import { Database, type NamedFamily, NamedResources } from '@signalbox/database';

const FAMILIES: readonly NamedFamily[] = [
  { type: 'test_set', table: '"test-runs".test_sets', name: 't.name', path: '/unified-test-sets/{id}' },
  {
    type: 'evaluation_criteria',
    table: '"test-runs".evaluation_criteria',
    name: 't.name',
    path: '/evaluation-criteria/{id}',
  },
  {
    type: 'test_run',
    table: '"test-runs".runs',
    id: 't.no::int',
    name: 't.name',
    path: '/unified-test-runs/{id}',
    alive: 'true',
  },
];

@Serves(namesOf('test-runs'))
export class NameHandlers extends NamedResources {
  constructor(db: Database) {
    super(db, FAMILIES);
  }
}
