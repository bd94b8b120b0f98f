import type { View } from '@signalbox/database';
import { ORIGIN } from './request-filters.view.js';

const BODY = { params: 't.params', response: 't.response' };

/** A recorded request; messages and answer only in the full view. */
export const REQUEST: View = {
  resource: 'request',
  table: 'traffic.requests',
  key: 'request_id',
  keyType: 'uuid',
  serial: 't.id',
  columns: [
    'id',
    'request_id',
    'application_id',
    'intent_id',
    'intent_group_id',
    'session_id',
    'reference_id',
    'request_type',
    'inference_location',
    'origin_id',
    'rerun_of',
    'task_id',
    'run_id',
    'model',
    'corrected_response',
    'correction_applied',
    'status',
    'failure_class',
    'error_message',
    'fallback_used',
    'fallback_reason',
    'evaluation_status',
    'first_token_time_ms',
    'response_time_ms',
    'metadata',
    'date_created',
  ],
  computed: {
    is_corrected: 't.corrected_response IS NOT NULL',
    origin: ORIGIN,
    usage: `COALESCE(t.answered_usage, jsonb_build_object('prompt_tokens', t.prompt_tokens,
      'completion_tokens', t.completion_tokens, 'total_tokens', t.total_tokens, 'cost', t.cost))`,
    tags: `COALESCE((SELECT json_agg(json_build_object('id', g.id, 'tag_name', g.tag_name) ORDER BY g.tag_name)
      FROM traffic.request_tags a JOIN traffic.tags g ON g.company_id = a.company_id AND g.id = a.tag_id
      WHERE a.company_id = t.company_id AND a.request_id = t.request_id), '[]')`,
    date_updated: 'COALESCE(t.date_updated, t.date_created)',
  },
  detail: BODY,
  search: ['t.model', 't.reference_id', 't.session_id', 't.request_id::text'],
  sort: {
    date_updated: 'COALESCE(t.date_updated, t.date_created)',
    response_time_ms: 't.response_time_ms',
    total_tokens: 't.total_tokens',
    cost: 't.cost',
    model: 't.model',
  },
};
/** The same with messages and answers. */
export const REQUEST_WITH_BODY: View = { ...REQUEST, bodies: BODY, detail: {} };
/** A request as events carry it. */
export const REQUEST_RECORD: View = {
  ...REQUEST,
  columns: REQUEST.columns.filter((column) => column !== 'corrected_response'),
  detail: {},
};
