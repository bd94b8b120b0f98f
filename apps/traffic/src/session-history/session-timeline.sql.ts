import { composed, readStatement } from '@signalbox/database';
import { correctionIn, inChat } from '../request-records/index.js';

const MESSAGES = `CASE WHEN json_typeof(r.params->'messages') = 'array' THEN r.params->'messages' ELSE '[]' END`;
/** Computed for requests that were recorded without it. */
const NEW_MESSAGES = `COALESCE(r.new_messages, (
    SELECT count(*) - COALESCE(max(m.n) FILTER (WHERE m.message->>'role' = 'assistant'), 0)
    FROM json_array_elements(${MESSAGES}) WITH ORDINALITY m(message, n))::int)`;

/** What happened in a session, without the messages of its requests. */
const ITEMS = `said AS MATERIALIZED (
    SELECT r.id, r.request_id, r.date_created, r.date_created + COALESCE(r.response_time_ms, 0) AS answered_at,
      ${NEW_MESSAGES} AS new_messages, (r.response #> '{choices,0,message}')::jsonb AS answer,
      ${correctionIn('r')} AS corrected, r.correction_applied
    FROM traffic.requests r
    WHERE r.company_id = s.company AND r.session_id = $2 AND r.deleted_at IS NULL AND r.request_type <> 'RERUN'
      AND ${inChat('r')}
  ), items AS MATERIALIZED (
    SELECT i.date_created AS at, i.id, 0 AS rank, n::bigint AS n, jsonb_build_object('type', 'message', 'timestamp', i.date_created,
      'request_id', i.request_id) AS item
    FROM said i, generate_series(1, i.new_messages) n
    UNION ALL
    SELECT i.answered_at, i.id, 1, 0, jsonb_build_object('type', 'message', 'timestamp', i.answered_at,
      'request_id', i.request_id, 'role', 'assistant', 'content', i.answer->'content')
    FROM said i WHERE jsonb_typeof(i.answer->'content') = 'string'
    UNION ALL
    SELECT i.answered_at, i.id, 2, c.n, jsonb_build_object('type', 'tool_call', 'timestamp', i.answered_at,
      'request_id', i.request_id, 'role', 'assistant', 'tool_call', c.called)
    FROM said i, jsonb_array_elements(CASE WHEN jsonb_typeof(i.answer->'tool_calls') = 'array'
      THEN i.answer->'tool_calls' ELSE '[]' END) WITH ORDINALITY c(called, n)
    UNION ALL
    SELECT e.date_created, i.id, 3, e.id, jsonb_build_object('type', 'evaluation', 'timestamp', e.date_created,
      'request_id', i.request_id, 'sentinel_id', e.sentinel_id, 'status', e.status, 'content', e.description)
    FROM said i JOIN traffic.evaluation_results e ON e.company_id = s.company AND e.request_id = i.request_id
      AND e.evaluation_id IS NULL
    UNION ALL
    SELECT e.date_created, i.id, 4, 0, jsonb_build_object('type', 'correction', 'timestamp', e.date_created,
      'request_id', i.request_id, 'role', 'assistant', 'sentinel_id', e.sentinel_id, 'content', e.correction)
    FROM said i, LATERAL (SELECT e.sentinel_id, e.correction, e.date_created FROM traffic.evaluation_results e
      WHERE e.company_id = s.company AND e.request_id = i.request_id AND e.evaluation_id IS NULL AND e.correction IS NOT NULL
      ORDER BY e.date_created, e.severity DESC, e.sentinel_id LIMIT 1) e WHERE i.correction_applied
    UNION ALL
    SELECT (i.corrected->>'date_updated')::bigint, i.id, 5, 0, jsonb_build_object('type', 'correction',
      'timestamp', i.corrected->'date_updated', 'request_id', i.request_id, 'role', 'assistant',
      'content', i.corrected #> '{choices,0,message,content}')
    FROM said i WHERE i.corrected IS NOT NULL
    UNION ALL
    SELECT f.feedback_at, 0, 6, 0, jsonb_build_object('type', 'feedback', 'timestamp', f.feedback_at,
      'content', f.feedback_text, 'status', f.feedback_score::text)
    FROM traffic.sessions f WHERE f.company_id = s.company AND f.session_id = $2 AND f.deleted_at IS NULL
      AND f.feedback_at IS NOT NULL
  )`;

/** The new messages of the requests of some items. */
const spokenIn = (items: string): string => `spoken AS MATERIALIZED (
    SELECT q.id, m.n - q.before AS n, jsonb_build_object('role', m.message->'role', 'content', m.message->'content') AS said
    FROM (
      SELECT i.id, c.messages, json_array_length(c.messages) - i.new_messages AS before
      FROM said i JOIN traffic.requests r
        ON r.company_id = s.company AND r.request_id = i.request_id AND r.date_created = i.date_created
      CROSS JOIN LATERAL (SELECT ${MESSAGES} AS messages OFFSET 0) c
      WHERE i.id IN (SELECT p.id FROM ${items} p WHERE p.rank = 0) OFFSET 0
    ) q, json_array_elements(q.messages) WITH ORDINALITY m(message, n)
    WHERE m.n > q.before
  )`;
const WITH_SPOKEN = 'LEFT JOIN spoken w ON x.rank = 0 AND w.id = x.id AND w.n = x.n';

/** What a reader knows an item by: its request, its outcome and what was said. */
const SEARCHED = `concat_ws(E'\\n', x.item->>'request_id', x.item->>'status', x.item->>'content', x.item->>'tool_call', w.said->>'content')`;
/** The items that have one of the patterns of a search. */
const FOUND = `${spokenIn('items')}, found AS MATERIALIZED (
    SELECT x.* FROM items x ${WITH_SPOKEN} WHERE ${SEARCHED} ILIKE ANY ($5::text[])
  )`;

/** The direction of a timeline. */
export type TimelineOrder = 'ASC' | 'DESC';

const orderOf = (direction: TimelineOrder): string =>
  ['at', 'id', 'rank', 'n'].map((column) => `x.${column} ${direction}`).join(', ');
const pageOf = (items: string, direction: TimelineOrder): string => `page AS MATERIALIZED (
    SELECT x.* FROM ${items} x ORDER BY ${orderOf(direction)} LIMIT $3::int OFFSET $4::bigint
  )`;

/**
 * One page of what happened in a session. Each request repeats the conversation before it, so only the messages after the
 * last answer in it are new; the answer, its tool calls, its evaluations and its correction follow. Of a request that is
 * not on the page neither messages nor results are read as a whole, unless they are searched: a conversation grows with
 * each turn.
 */
export const TIMELINE = composed(
  (direction: TimelineOrder, isSearched: boolean) => {
    const items = isSearched ? 'found' : 'items';
    const page = pageOf(items, direction);
    return readStatement(
      { index: ['evaluation_results_request', 'requests_pkey', 'requests_session', 'sessions_name'] },
      `SELECT p.page FROM s, LATERAL (
  WITH ${ITEMS}, ${isSearched ? `${FOUND}, ${page}` : `${page}, ${spokenIn('page')}`}
  SELECT json_build_object(
    'data', COALESCE((SELECT json_agg(jsonb_strip_nulls(x.item || COALESCE(w.said, '{}')) ORDER BY ${orderOf(direction)})
      FROM page x ${WITH_SPOKEN}), '[]'::json),
    'pagination', json_build_object('total', (SELECT count(*) FROM ${items}), 'offset', $4::bigint, 'limit', $3::int)
  )::text AS page OFFSET 0) p`,
    );
  },
  ['ASC', false],
  ['DESC', false],
  ['ASC', true],
);
