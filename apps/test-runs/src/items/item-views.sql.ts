import type { View } from '@signalbox/database';
import { RECORD_COLUMNS } from '../sets/index.js';

const SUB = '"test-runs".response_subs r WHERE r.company_id = t.company_id AND r.id = t.response_sub_id';
const sub = `(SELECT row_to_json(f) FROM (
  SELECT r.id, r.expected_output, r.note, r.author_key_id, r.date_created, r.date_updated FROM ${SUB}) f)`;
const effective = `COALESCE((SELECT r.expected_output FROM ${SUB}), t.expected_output)`;

/** Larger items are listed without their bodies, so that a page of a hundred fits into one reply. */
const LISTED_BYTES = 32_768;
const omitted = `t.body_bytes + COALESCE((SELECT 2 * length(r.expected_output::text) FROM ${SUB}), 0) > ${LISTED_BYTES}`;
const unlessOmitted = (expression: string): string => `CASE WHEN ${omitted} THEN NULL ELSE ${expression} END`;

const BODY_TEXT = `t.input::text || COALESCE(t.expected_output::text, '')
  || COALESCE((SELECT r.expected_output::text FROM ${SUB}), '')`;

const base = {
  resource: 'test set item',
  table: '"test-runs".test_set_items',
  alive: `t.deleted_at IS NULL AND EXISTS (SELECT 1 FROM "test-runs".test_sets x
    WHERE x.company_id = t.company_id AND x.id = t.test_set_id AND x.deleted_at IS NULL)`,
  filters: {
    test_set_id: 't.test_set_id = ?',
    source_type: 't.source_type = ?',
    has_sub: '(t.response_sub_id IS NOT NULL) = ?',
    text: `${BODY_TEXT} ILIKE ?`,
  },
  search: ['t.source_id', 't.meta::text'],
  sort: { position: 't.position', source_type: 't.source_type' },
} as const;

export const itemView: View = {
  ...base,
  columns: [...RECORD_COLUMNS, 'input', 'expected_output'],
  computed: { response_sub: sub, effective_expected_output: effective },
  large: ['input', 'expected_output', 'response_sub', 'effective_expected_output'],
};

export const listedItemView: View = {
  ...base,
  columns: RECORD_COLUMNS,
  computed: {
    input: unlessOmitted('t.input'),
    expected_output: unlessOmitted('t.expected_output'),
    response_sub: unlessOmitted(sub),
    effective_expected_output: unlessOmitted(effective),
    bodies_omitted: omitted,
  },
};
