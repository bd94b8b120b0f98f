import type { ConsumerKind, LegacyType } from '@signalbox/contracts';
import type { View } from '@signalbox/database';
import { itemView } from '../run-items/index.js';

/** Runs of other kinds do not appear under the legacy paths. */
export const KINDS = { request: 'MODEL', workflow: 'WORKFLOW' } as const satisfies Record<LegacyType, ConsumerKind>;
const LEGACY_KINDS: readonly ConsumerKind[] = Object.values(KINDS);

export const isLegacyKind = (kind: ConsumerKind): boolean => LEGACY_KINDS.includes(kind);

export const runView: View = {
  resource: 'test run',
  table: '"test-runs".runs',
  columns: ['test_set_id', 'status', 'description', 'date_created', 'completed_at'],
  computed: { id: 't.no' },
  filters: { consumer_kind: 't.consumer_kind = ?', test_set_id: 't.test_set_id = ?' },
  search: ['t.name', 't.description'],
  key: 'no',
  alive: `t.consumer_kind IN (${LEGACY_KINDS.map((kind) => `'${kind}'`).join(', ')})`,
};

const { computed = {}, bodies = {} } = itemView;

export const legacyItemView: View = {
  resource: 'item',
  table: itemView.table,
  columns: ['id', 'test_set_item_id', 'status', 'failure_class', 'matched'],
  computed: {
    test_run_id: computed['test_run_id'] ?? '',
    duration_ms: computed['duration_ms'] ?? '',
  },
  bodies: { diff_result: bodies['diff_result'] ?? '' },
  filters: {
    run_id: 't.run_id = ?::uuid',
    outcome: `${computed['outcome'] ?? ''} = ANY (?::text[])`,
    matched: 't.matched = ?',
  },
  search: itemView.search ?? [],
  alive: 'true',
};
