import { Serves } from '@signalbox/bus';
import { namesOf } from '@signalbox/contracts';
import { Database, type NamedFamily, NamedResources } from '@signalbox/database';

const FAMILIES: readonly NamedFamily[] = [
  { type: 'application', table: 'traffic.applications', name: 't.application_name', path: '/applications/{id}' },
  {
    type: 'intent',
    table: 'traffic.intents',
    name: 't.action_type',
    path: '/applications/{application_id}/intents/{id}',
    parent: { type: 'application', table: 'traffic.applications', id: 't.application_id', name: 'application_name' },
  },
  { type: 'intent_group', table: 'traffic.intent_groups', name: 't.intent_group_name', path: '/intent-groups/{id}' },
  { type: 'model', table: 'traffic.models', name: 't.model_name', path: '/models/{id}' },
  { type: 'model_provider', table: 'traffic.providers', name: 't.provider_name', path: '/models/providers/{id}' },
  { type: 'tag', table: 'traffic.tags', name: 't.tag_name', path: '/tags/{id}' },
  { type: 'tag_rule', table: 'traffic.tag_rules', name: 't.rule_name', path: '/tags/rules/{id}' },
  { type: 'tag_run', table: 'traffic.tag_runs', id: 't.no::int', path: '/tags/runs/{id}', alive: 'true' },
  { type: 'sentinel', table: 'traffic.sentinels', name: 't.sentinel_name', path: '/sentinels/{id}' },
  {
    type: 'evaluation_run',
    table: 'traffic.evaluation_runs',
    id: 't.no::int',
    name: 't.name',
    path: '/evaluations/{id}',
  },
  { type: 'request', table: 'traffic.requests', id: 't.request_id', idType: 'uuid', path: '/requests/{id}' },
  { type: 'session', table: 'traffic.sessions', id: 't.session_id', idType: 'text', path: '/sessions/{id}' },
];

@Serves(namesOf('traffic'))
export class NameHandlers extends NamedResources {
  constructor(db: Database) {
    super(db, FAMILIES);
  }
}
