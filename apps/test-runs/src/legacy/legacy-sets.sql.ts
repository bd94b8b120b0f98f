import type { View } from '@signalbox/database';
import { GROUP_OF_META } from '../sets/index.js';
import { listedItemView } from '../items/index.js';
import type { LegacyType } from '@signalbox/contracts';

/** Items of agents do not appear under the legacy paths. */
const NOT_OF_AGENTS = `source_type <> 'AGENT_TASK'`;

export const setView: View = {
  resource: 'test set',
  table: '"test-runs".test_sets',
  columns: ['id', 'name', 'date_created'],
  computed: {
    intent_group_id: GROUP_OF_META,
    request_count: `(SELECT count(*)::int FROM "test-runs".test_set_items i WHERE i.company_id = t.company_id
      AND i.test_set_id = t.id AND i.deleted_at IS NULL AND i.${NOT_OF_AGENTS})`,
  },
  // By the type of a set, without a value.
  filters: {
    request: `(t.consumer_kinds = '[]' OR t.consumer_kinds @> '["MODEL"]')`,
    workflow: `t.consumer_kinds @> '["WORKFLOW"]'`,
  } satisfies Record<LegacyType, string>,
  search: ['t.name'],
};

const { input = '', effective_expected_output: expected_response = '' } = listedItemView.computed ?? {};

export const requestView: View = {
  resource: 'test set item',
  table: listedItemView.table,
  columns: ['id'],
  computed: {
    request_id: `CASE WHEN t.source_type = 'REQUEST' THEN t.source_id END`,
    messages: `(${input})->'messages'`,
    expected_response,
  },
  alive: `${listedItemView.alive} AND t.${NOT_OF_AGENTS}`,
  filters: {
    test_set_id: 't.test_set_id = ?',
    request_ids: `t.source_type = 'REQUEST' AND t.source_id = ANY (?::text[])`,
  },
  search: ['t.source_id'],
};
