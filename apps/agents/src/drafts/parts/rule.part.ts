import { partOf } from './ordered-child.js';
import { partsOfAgent } from './ordered-child.sql.js';

export const RULES = partOf(
  'routing rule',
  'routing_rules',
  ['label', 'condition_expression', 'conditions', 'route', 'enabled'],
  { search: ['t.label'], sort: { label: 't.label' } },
);

export const ROUTING_SQL = `json_build_object('config', t.routing, 'rules', ${partsOfAgent(RULES)})`;
