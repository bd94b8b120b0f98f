import { likeTextInJson } from '@signalbox/database';
import type { InputOf, requests } from '@signalbox/contracts';

/** What narrows requests down. */
export type RequestFilters = Partial<InputOf<typeof requests.endpoints.listRequests>>;

/** What made a request `t`; older rows do not say. */
export const ORIGIN = originOf('t');

function originOf(table: string): string {
  return `COALESCE(${table}.origin, CASE WHEN ${table}.agent_id IS NULL THEN 'CHAT' ELSE 'AGENT' END)`;
}

/** True for a request of a chat session; agents and workflows have separate sessions, under separate ids. */
export const inChat = (table: string): string => `${originOf(table)} = 'CHAT'`;

/** A condition over a request `t`; `?` stands for the value. */
export interface Condition {
  sql: string;
  value: unknown;
}

const EQUAL = [
  'application_id',
  'intent_id',
  'intent_group_id',
  'session_id',
  'model',
  'request_type',
  'evaluation_status',
  'reference_id',
  'status',
  'fallback_used',
] as const;

const TAGGED = `t.request_id IN (SELECT a.request_id FROM traffic.request_tags a
  WHERE a.company_id = t.company_id AND a.tag_id = ANY(?::int[]))`;

/** The conditions of a Filter (docs/api/README.md) over recorded requests. */
export function conditionsOf(input: RequestFilters): Condition[] {
  const { is_corrected, start_date, end_date, text, tag_ids } = input;
  const equal = EQUAL.map((name): [string, unknown] => [`t.${name} = ?`, input[name]]);
  const given: [string, unknown][] = [
    ...equal,
    [`${ORIGIN} = ?`, input.origin],
    ['t.origin_id = ?', input.origin_id],
    ['(t.corrected_response IS NOT NULL) = ?::boolean', is_corrected],
    ['t.date_created >= ?', start_date],
    ['t.date_created < ?', end_date],
    [
      `((t.params->'messages')::text ILIKE ? OR t.response::text ILIKE ? OR t.corrected_response::text ILIKE ?)`,
      text && likeTextInJson(text),
    ],
    // Chosen: any of the tags.
    [TAGGED, tag_ids && tag_ids.length > 0 ? tag_ids : undefined],
  ];
  return given.filter(([, value]) => value !== undefined && value !== '').map(([sql, value]) => ({ sql, value }));
}
