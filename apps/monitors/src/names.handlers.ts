import { Serves } from '@signalbox/bus';
import { namesOf } from '@signalbox/contracts';
import { Database, type NamedFamily, NamedResources } from '@signalbox/database';

const FAMILIES: readonly NamedFamily[] = [
  { type: 'monitor', table: 'monitors.monitors', name: 't.name', path: '/monitors/{id}' },
];

@Serves(namesOf('monitors'))
export class NameHandlers extends NamedResources {
  constructor(db: Database) {
    super(db, FAMILIES);
  }
}
