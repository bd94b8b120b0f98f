import { txStatement, type View } from '@signalbox/database';

export const view: View = {
  resource: 'tag',
  table: 'traffic.tags',
  columns: ['id', 'tag_name', 'color', 'description', 'date_created', 'date_updated'],
  computed: {
    request_count: `(SELECT count(*) FROM traffic.request_tags a WHERE a.company_id = t.company_id AND a.tag_id = t.id)`,
  },
  search: ['t.tag_name', 't.description'],
  sort: { tag_name: 't.tag_name' },
};

export const DELETE_ASSIGNMENTS = txStatement(
  { index: 'request_tags_pkey' },
  'DELETE FROM traffic.request_tags WHERE company_id = $1 AND tag_id = $2',
);
