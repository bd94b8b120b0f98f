import type { View } from '@signalbox/database';
import { inChat } from '../request-records/index.js';

/** For filters over sessions; the times leave one or two partitions of requests to read. */
const IN_SESSION = `r.company_id = t.company_id AND r.session_id = t.session_id AND r.deleted_at IS NULL
  AND r.date_created >= t.first_request_at AND r.date_created <= t.last_request_at AND ${inChat('r')}`;

const requested = (condition: string): string =>
  `EXISTS (SELECT 1 FROM traffic.requests r WHERE ${IN_SESSION} AND ${condition})`;

export const SESSION: View = {
  resource: 'session',
  table: 'traffic.sessions',
  key: 'session_id',
  keyType: 'text',
  serial: 't.id',
  columns: [
    'session_id',
    'application_id',
    'request_count',
    'fault_count',
    'total_tokens',
    'cost',
    'metadata',
    'summary',
    'feedback_score',
    'feedback_text',
    'first_request_at',
    'last_request_at',
    'date_created',
    'date_updated',
  ],
  computed: {
    application_name: `(SELECT a.application_name FROM traffic.applications a
      WHERE a.company_id = t.company_id AND a.id = t.application_id)`,
    intents: `(SELECT COALESCE(json_agg(json_build_object('intent_id', r.intent_id, 'action_type', i.action_type)), '[]')
      FROM (SELECT DISTINCT r.intent_id FROM traffic.requests r WHERE r.company_id = t.company_id
        AND r.session_id = t.session_id AND r.date_created >= t.first_request_at AND r.date_created <= t.last_request_at
        AND r.intent_id IS NOT NULL AND ${inChat('r')} ORDER BY 1) r
      LEFT JOIN traffic.intents i ON i.company_id = t.company_id AND i.id = r.intent_id)`,
  },
  filters: {
    application_id: 't.application_id = ?',
    intent_id: requested('r.intent_id = ?'),
    has_fault: '(t.fault_count > 0) = ?::boolean',
    has_feedback: '(t.feedback_at IS NOT NULL) = ?::boolean',
    start_date: 't.last_request_at >= ?',
    end_date: 't.first_request_at < ?',
    // Equality on each key that is named.
    metadata: 'NOT EXISTS (SELECT 1 FROM jsonb_each(?::jsonb) m WHERE t.metadata->m.key IS DISTINCT FROM m.value)',
    text: requested(`(r.params->'messages')::text || COALESCE(r.response::text, '') ILIKE ?`),
  },
  search: ['t.session_id'],
  sort: {
    // Ids ascend in the order of creation.
    date_created: 't.id',
    session_id: 't.session_id',
    first_request_at: 't.first_request_at',
    last_request_at: 't.last_request_at',
    request_count: 't.request_count',
    total_tokens: 't.total_tokens',
    cost: 't.cost',
  },
};
