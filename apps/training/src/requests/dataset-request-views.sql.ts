import type { View } from '@signalbox/database';

const COLUMNS = ['id', 'dataset_id', 'request_id', 'source', 'is_corrected', 'reasoning', 'meta'] as const;
const BODIES = ['messages', 'response', 'tools'] as const;

const base = {
  resource: 'dataset request',
  table: 'training.dataset_requests',
  alive: `t.deleted_at IS NULL AND EXISTS (SELECT 1 FROM training.datasets x
    WHERE x.company_id = t.company_id AND x.id = t.dataset_id AND x.deleted_at IS NULL)`,
  search: ['t.request_id::text', 't.meta::text'],
  sort: { date_added: 't.date_created', source: 't.source' },
  filters: {
    dataset_id: 't.dataset_id = ?',
    request_ids: 't.request_id = ANY (?::uuid[])',
    text: '(t.messages::text ILIKE ? OR t.response::text ILIKE ?)',
    source: 't.source = ?',
    is_corrected: 't.is_corrected = ?',
    start_date: 't.date_created >= ?',
    end_date: 't.date_created < ?',
  },
} as const;

export const requestView: View = {
  ...base,
  columns: [...COLUMNS, ...BODIES],
  computed: { date_added: 't.date_created' },
  large: BODIES,
};

/** Rows over this size are listed without their bodies, so that a page fits into one reply. */
function listedView(maxBytes: number): View {
  const omitted = `t.body_bytes > ${maxBytes}`;
  return {
    ...base,
    columns: COLUMNS,
    computed: {
      ...Object.fromEntries(BODIES.map((name) => [name, `CASE WHEN ${omitted} THEN NULL ELSE t.${name} END`])),
      bodies_omitted: omitted,
      date_added: 't.date_created',
    },
  };
}

export const pageView = listedView(32_768);

/** The reply to an addition has up to a thousand rows. */
export const addedView = listedView(8192);
