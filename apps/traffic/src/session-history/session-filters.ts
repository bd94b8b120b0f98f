import type { chatSessions, InputOf } from '@signalbox/contracts';
import type { Filter } from '@signalbox/database';
import { likeTextInJson } from '@signalbox/database';
import { IN_SESSION } from './session.view.js';

type Search = InputOf<typeof chatSessions.endpoints.searchSessions>;

/** The conditions that narrow sessions down. */
export function filtersOf(input: Partial<Search>): Filter[] {
  const { application_id, intent_id, has_fault, has_feedback, start_date, end_date, metadata, text } = input;
  const requested = (condition: string) =>
    `EXISTS (SELECT 1 FROM traffic.requests r WHERE ${IN_SESSION} AND ${condition})`;
  const given: [string, unknown][] = [
    ['t.application_id = ?', application_id],
    [requested('r.intent_id = ?'), intent_id],
    ['(t.fault_count > 0) = ?::boolean', has_fault],
    ['(t.feedback_at IS NOT NULL) = ?::boolean', has_feedback],
    ['t.last_request_at >= ?', start_date],
    ['t.first_request_at < ?', end_date],
    // Equality on each key that is named.
    [
      'NOT EXISTS (SELECT 1 FROM jsonb_each(?::jsonb) m WHERE t.metadata->m.key IS DISTINCT FROM m.value)',
      metadata && JSON.stringify(metadata),
    ],
    [requested(`(r.params->'messages')::text || COALESCE(r.response::text, '') ILIKE ?`), text && likeTextInJson(text)],
  ];
  return given.filter(([, value]) => value !== undefined && value !== '').map(([sql, value]) => ({ sql, value }));
}
