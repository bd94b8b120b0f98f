import type { Platform } from '@signalbox/testing';
import { fill as fillRequests } from '../analytics/traffic.js';
import { fill } from './fill.js';

const TAG = 1;
const SENTINEL = 1;

/** What the requests of `fillRequests` belong to, with the ids that they have there. */
const OWNERS = [
  `INSERT INTO traffic.applications (company_id, id, application_name, application_ref_name, state) OVERRIDING SYSTEM VALUE
   SELECT $1, n, 'Shop ' || n, 'shop-' || n, 'ENABLED' FROM generate_series(1, 8) n`,
  `INSERT INTO traffic.intent_groups (company_id, id, intent_group_name) OVERRIDING SYSTEM VALUE
   SELECT $1, n, 'group ' || n FROM generate_series(1, 10) n`,
  `INSERT INTO traffic.intents (company_id, id, application_id, intent_group_id, action_type) OVERRIDING SYSTEM VALUE
   SELECT $1, n, 1 + n % 8, 1 + n % 10, 'intent ' || n FROM generate_series(1, 40) n`,
  `INSERT INTO traffic.tags (company_id, id, tag_name) OVERRIDING SYSTEM VALUE SELECT $1, ${TAG}, 'refund'`,
  `INSERT INTO traffic.sentinels (company_id, id, sentinel_name, severity, intent_group_id, sentinel_directive, state)
   OVERRIDING SYSTEM VALUE SELECT $1, ${SENTINEL}, 'polite', 1, 1, '{}', 'DISABLED'`,
];

const SESSIONS = `INSERT INTO traffic.sessions (company_id, session_id, application_id, request_count, fault_count, feedback_score,
    first_request_at, last_request_at)
  SELECT company_id, session_id, min(application_id), count(*), count(*) FILTER (WHERE evaluation_status = 'FAULT'),
    CASE WHEN random() < 0.01 THEN 1 END, min(date_created), max(date_created)
  FROM traffic.requests WHERE company_id = $1 AND session_id IS NOT NULL AND id BETWEEN $2 AND $3 GROUP BY 1, 2 ON CONFLICT DO NOTHING`;
const TAGGED = `INSERT INTO traffic.request_tags (company_id, tag_id, request_id, request_date)
  SELECT company_id, ${TAG}, request_id, date_created FROM traffic.requests WHERE company_id = $1 AND id BETWEEN $2 AND $3 AND id % 10 = 0`;
const RESULTS = `INSERT INTO traffic.evaluation_results (company_id, evaluation_request_id, request_id, request_date, session_id, application_id,
    intent_id, intent_group_id, sentinel_id, sentinel_name, severity, status, description, eval_time_ms, usage, is_current, date_created)
  SELECT company_id, gen_random_uuid(), request_id, date_created, session_id, application_id, intent_id, intent_group_id, ${SENTINEL}, 'polite', 1,
    evaluation_status, '', 20, '{}', true, date_created FROM traffic.requests
  WHERE company_id = $1 AND id BETWEEN $2 AND $3 AND evaluation_status IN ('PASS', 'FAULT')`;

/** Ids of a request and of a session of the traffic. */
export interface FilledTraffic {
  request: string;
  session: string;
}

/** Fills a company with requests and what is recorded beside them: sessions, tags and evaluations. */
export async function fillTraffic(platform: Platform, companyId: number, requests: number): Promise<FilledTraffic> {
  for (const text of OWNERS) await platform.sql.query(text, [companyId]);
  await fillRequests(platform, companyId, { requests, days: requests > 100_000 ? 90 : 8 });
  // As the service does with each day that is over.
  for (let created: unknown = true; created != null;) {
    const { rows } = await platform.sql.query<{ created: string | null }>(
      'SELECT created FROM traffic.index_closed_day()',
    );
    created = rows[0]?.created;
  }
  await platform.sql.query('VACUUM (ANALYZE) traffic.requests');
  const { rows } = await platform.sql.query<{ first: string; last: string }>(
    'SELECT min(id) AS first, max(id) AS last FROM traffic.requests WHERE company_id = $1',
    [companyId],
  );
  const [first, last] = [Number(rows[0]?.first), Number(rows[0]?.last)];
  for (const [table, text] of [
    ['traffic.sessions', SESSIONS],
    ['traffic.request_tags', TAGGED],
    ['traffic.evaluation_results', RESULTS],
  ] as const) {
    const insert = text.replace(
      'BETWEEN $2 AND $3',
      `BETWEEN $2::int + ${first - 1}::bigint AND $3::int + ${first - 1}::bigint`,
    );
    await fill(platform, { table, insert, count: last - first + 1, values: [companyId] });
  }
  const one = await platform.sql.query<{ request_id: string; session_id: string }>(
    'SELECT request_id, session_id FROM traffic.requests WHERE company_id = $1 ORDER BY id DESC LIMIT 1',
    [companyId],
  );
  return { request: one.rows[0]!.request_id, session: one.rows[0]!.session_id };
}
