import type { Filter, View } from '@signalbox/database';

const originOf = (table: string): string =>
  `COALESCE(${table}.origin, CASE WHEN ${table}.agent_id IS NULL THEN 'CHAT' ELSE 'AGENT' END)`;

/** Older rows have no origin. */
const ORIGIN = originOf('t');

/** Agents and workflows have sessions of their own, under ids of their own. */
export const inChat = (table: string): string => `${originOf(table)} = 'CHAT'`;

/** Erases a correction and keeps that there was one, which is counted: JSON's null, that reads as no correction. */
export const ERASED_CORRECTION = `CASE WHEN corrected_response IS NOT NULL THEN 'null'::jsonb END`;

/** The correction of a request unless it is erased. */
export const correctionIn = (table: string): string => `NULLIF(${table}.corrected_response, 'null')`;

/** Of several calls under one id, which were repeated because they failed: the answered one, else the last. */
export const ANSWERED_FIRST = `t.status = 'FAILED', t.id DESC`;

const FILTERS = {
  application_id: 't.application_id = ?',
  intent_id: 't.intent_id = ?',
  intent_group_id: 't.intent_group_id = ?',
  session_id: 't.session_id = ?',
  model: 't.model = ?',
  request_type: 't.request_type = ?',
  evaluation_status: 't.evaluation_status = ?',
  reference_id: 't.reference_id = ?',
  status: 't.status = ?',
  // Few of all, found by indexes of their own.
  failed: `t.status = 'FAILED'`,
  fault: `t.evaluation_status = 'FAULT'`,
  fallback_used: 't.fallback_used = ?',
  origin: `${ORIGIN} = ?`,
  origin_id: 't.origin_id = ?',
  corrected: 't.corrected_response IS NOT NULL',
  is_corrected: '(t.corrected_response IS NOT NULL) = ?::boolean',
  start_date: 't.date_created >= ?',
  end_date: 't.date_created < ?',
  // Most requests lack the text altogether, which shows before their JSON is parsed.
  text: `((t.params::text ILIKE ? AND (t.params->'messages')::text ILIKE ?) OR t.response::text ILIKE ? OR ${correctionIn('t')}::text ILIKE ?)`,
  tag_ids: `t.request_id IN (SELECT a.request_id FROM traffic.request_tags a
    WHERE a.company_id = t.company_id AND a.tag_id = ANY(?::int[]))`,
  // One descent for each request of a short span. OFFSET keeps Postgres from joining the two, which compares each with each
  // where neither has statistics, as in the first minute of many new requests.
  tagged: `EXISTS (SELECT FROM traffic.request_tags a WHERE a.company_id = t.company_id AND a.request_id = t.request_id
    AND a.tag_id = ANY(?::int[]) OFFSET 0)`,
  except: 't.request_id <> ALL (?::uuid[])',
  in_chat: `(${inChat('t')}) = ?::boolean`,
};

const BODY = { params: 't.params', response: 't.response' };

const INDEXES: Readonly<Record<string, string>> = {
  [FILTERS.application_id]: 'requests_application',
  [FILTERS.intent_id]: 'requests_intent',
  [FILTERS.intent_group_id]: 'requests_group',
  [FILTERS.session_id]: 'requests_session',
  [FILTERS.reference_id]: 'requests_reference',
  [FILTERS.origin_id]: 'requests_origin',
  [FILTERS.corrected]: 'requests_corrected',
  [FILTERS.failed]: 'requests_failed',
  [FILTERS.start_date]: 'requests_time',
  [FILTERS.end_date]: 'requests_time',
};

export function requestIndexes(conditions: readonly Filter[]): string[] {
  const [index = 'requests_newest'] = conditions.flatMap(({ sql }) => INDEXES[sql] ?? []);
  return conditions.some(({ sql }) => sql === FILTERS.tag_ids || sql === FILTERS.tagged)
    ? [index, 'request_tags_pkey']
    : [index];
}

export const REQUEST: View = {
  resource: 'request',
  table: 'traffic.requests',
  key: 'request_id',
  keyType: 'uuid',
  serial: 't.id',
  preferred: ANSWERED_FIRST,
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
  filters: FILTERS,
};

export const REQUEST_WITH_BODY: View = { ...REQUEST, bodies: BODY, detail: {} };

export const REQUEST_RECORD: View = {
  ...REQUEST,
  columns: REQUEST.columns.filter((column) => column !== 'corrected_response'),
  detail: {},
};
