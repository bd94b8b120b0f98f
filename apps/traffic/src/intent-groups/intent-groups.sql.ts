import { composed, txStatement, type View } from '@signalbox/database';
import { activityOf } from '../activity/index.js';

const INTENTS = `FROM traffic.intents i
  WHERE i.company_id = t.company_id AND i.intent_group_id = t.id AND i.deleted_at IS NULL`;

export const view: View = {
  resource: 'intent group',
  table: 'traffic.intent_groups',
  columns: ['id', 'intent_group_name', 'description', 'config', 'meta', 'date_created', 'date_updated'],
  computed: {
    application_count: `(SELECT count(DISTINCT i.application_id) ${INTENTS})`,
    intent_count: `(SELECT count(*) ${INTENTS})`,
    sentinel_count: `(SELECT count(*) FROM traffic.sentinels i
      WHERE i.company_id = t.company_id AND i.intent_group_id = t.id AND i.deleted_at IS NULL)`,
    ...activityOf('y.intent_group_id = t.id'),
  },
  search: ['t.intent_group_name', 't.description'],
  sort: { intent_group_name: 't.intent_group_name' },
  large: ['config'],
};

/** A group that has any of these is not deleted. */
export const MEMBERS = ['intents', 'sentinels'] as const;

export const FIND_MEMBER = composed(
  (what: (typeof MEMBERS)[number]) =>
    txStatement(
      { index: what === 'intents' ? 'intents_group' : 'sentinels_name' },
      `SELECT 1 FROM traffic.${what} WHERE company_id = $1 AND intent_group_id = $2 AND deleted_at IS NULL LIMIT 1`,
    ),
  ['intents'],
  ['sentinels'],
);

export const SHARE_GROUP = txStatement(
  { index: 'intent_groups_name' },
  `SELECT id FROM traffic.intent_groups WHERE company_id = $1 AND intent_group_name = $2 AND deleted_at IS NULL
   FOR SHARE`,
);

export const LOCK_NAME = txStatement({ index: null }, 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))');
