import { readStatement, txStatement, type View } from '@signalbox/database';
import { activityOf } from '../activity/index.js';

export const view: View = {
  resource: 'intent',
  table: 'traffic.intents',
  columns: [
    'id',
    'application_id',
    'action_type',
    'description',
    'prompt',
    'config',
    'meta',
    'intent_group_id',
    'agent_id',
    'notifications_enabled',
    'date_created',
    'date_updated',
  ],
  computed: activityOf('y.application_id = t.application_id AND y.intent_id = t.id'),
  filters: { application_id: 't.application_id = ?', intent_group_id: 't.intent_group_id = ?' },
  search: ['t.action_type', 't.description'],
  sort: { action_type: 't.action_type' },
  large: ['config', 'prompt'],
};

/** Intents that a refusal to delete their agent or workflow names. */
export const SHOWN = 20;

/** SQL: true for an intent whose own configuration names a workflow, with or without a version, as its model. */
const NAMES_WORKFLOW = (refName: string): string =>
  `split_part(t.config->>'model', '@', 1) = 'workflow:' || ${refName}::text`;

export const INTENTS_OF_AGENT = readStatement(
  { index: 'intents_group' },
  `SELECT x.* FROM s, LATERAL (SELECT count(*)::int AS total,
     COALESCE((json_agg(json_build_object('id', t.id, 'application_id', t.application_id) ORDER BY t.id)
       FILTER (WHERE t.place <= ${SHOWN})), '[]') AS intents
   FROM (SELECT i.*, row_number() OVER (ORDER BY i.id) AS place FROM traffic.intents i
     WHERE i.company_id = s.company AND i.agent_id = $2 AND i.deleted_at IS NULL) t OFFSET 0) x`,
);

export const IDS_OF_AGENT = txStatement(
  { index: 'intents_group' },
  'SELECT id FROM traffic.intents WHERE company_id = $1 AND agent_id = $2 AND deleted_at IS NULL ORDER BY id',
);

export const INTENTS_ON_WORKFLOW = readStatement(
  { index: 'intents_group' },
  `SELECT x.* FROM s, LATERAL (SELECT t.id, t.application_id FROM traffic.intents t
   WHERE t.company_id = s.company AND ${NAMES_WORKFLOW('$2')} AND t.deleted_at IS NULL ORDER BY t.id OFFSET 0) x`,
);

export const IDS_ON_WORKFLOW = txStatement(
  { index: 'intents_group' },
  `SELECT t.id FROM traffic.intents t WHERE t.company_id = $1 AND ${NAMES_WORKFLOW('$2')} AND t.deleted_at IS NULL
   ORDER BY t.id`,
);
