import { txStatement, readStatement, type View } from '@signalbox/database';
import { activityOf } from '../activity/index.js';

export const view: View = {
  resource: 'application',
  table: 'traffic.applications',
  columns: [
    'id',
    'application_name',
    'application_ref_name',
    'description',
    'state',
    'config',
    'meta',
    'fault_notifications',
    'session_summaries',
    'date_created',
    'date_updated',
  ],
  computed: {
    intent_count: `(SELECT count(*) FROM traffic.intents i
      WHERE i.company_id = t.company_id AND i.application_id = t.id AND i.deleted_at IS NULL)`,
    ...activityOf('y.application_id = t.id'),
  },
  filters: { state: 't.state = ?' },
  search: ['t.application_name', 't.application_ref_name', 't.description'],
  sort: { application_name: 't.application_name', application_ref_name: 't.application_ref_name' },
  large: ['config'],
};

export const DELETE_INTENTS = txStatement(
  { index: 'intents_action_type' },
  `UPDATE traffic.intents SET deleted_at = $3 WHERE company_id = $1 AND application_id = $2
   AND deleted_at IS NULL RETURNING id`,
);

export const FIND_NAMED = readStatement(
  { index: 'applications_name' },
  `SELECT a.* FROM s, LATERAL (SELECT t.id FROM traffic.applications t
   WHERE t.company_id = s.company AND t.deleted_at IS NULL AND (t.application_ref_name = $3 OR t.application_name = $2)
   ORDER BY t.application_name = $2 DESC, t.id LIMIT 1 OFFSET 0) a`,
);

export const COUNT_APPLICATIONS = readStatement(
  { index: 'applications_name' },
  `SELECT a.* FROM s, LATERAL (SELECT count(*)::int AS count FROM traffic.applications t
   WHERE t.company_id = s.company AND t.deleted_at IS NULL OFFSET 0) a`,
);

export const FIND_CALLED = readStatement(
  { index: 'applications_pkey' },
  `SELECT a.* FROM s, LATERAL (SELECT t.state, t.config->>'model' AS model FROM traffic.applications t
   WHERE t.company_id = s.company AND t.id = $2 AND t.deleted_at IS NULL OFFSET 0) a`,
);
