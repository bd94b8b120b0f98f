import { Serves } from '@signalbox/bus';
import { namesOf } from '@signalbox/contracts';
import { Database, type NamedFamily, NamedResources } from '@signalbox/database';

const FAMILIES: readonly NamedFamily[] = [
  { type: 'api_key', table: 'accounts.api_keys', name: 't.name', path: '/api-keys/{id}' },
  { type: 'webhook', table: 'accounts.webhooks', name: 't.url', path: '/webhooks/{id}' },
];

@Serves(namesOf('accounts'))
export class NameHandlers extends NamedResources {
  constructor(db: Database) {
    super(db, FAMILIES);
  }
}
