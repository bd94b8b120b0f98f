import type { Platform } from '@signalbox/testing';

const DAY = 86_400_000;

/** Amount of generated traffic. */
export interface Amount {
  requests: number;
  days: number;
}

const PARTITION = `DO $$ BEGIN EXECUTE format(
  'SET ROLE svc_traffic_owner; CREATE TABLE traffic.%I PARTITION OF traffic.requests FOR VALUES FROM (%s) TO (%s); RESET ROLE',
  'requests_DAY', START, START + 86400000::bigint); EXCEPTION WHEN duplicate_table THEN RESET ROLE; END $$`;

/**
 * One day of traffic: busy and quiet applications, intents that use up to three models, sessions of one request and of
 * up to eight within a quarter of an hour, a few reruns and synthetic calls, some failures, some with feedback, some
 * of agents.
 */
const DAY_OF_TRAFFIC = `INSERT INTO traffic.requests (company_id, request_id, application_id, intent_id, intent_group_id,
    agent_id, session_id, request_type, model, provider, params, response, status, fallback_used, evaluation_status,
    prompt_tokens, completion_tokens, total_tokens, cost, first_token_time_ms, response_time_ms, metadata, date_created)
  SELECT $1::int, gen_random_uuid(), 1 + intent % 8, intent, 1 + intent % 10, CASE WHEN intent % 5 = 0 THEN 1 + intent END,
    session, (ARRAY['PROD','PROD','PROD','PROD','PROD','PROD','PROD','MANUAL','RERUN','SYNTHETIC'])[1 + (random() * random() * 10)::int % 10],
    'model-' || (intent + (random() * random() * 3)::int) % 12, 'simulated', '{"messages":[]}', '{"choices":[]}',
    CASE WHEN random() < 0.02 THEN 'FAILED' ELSE 'COMPLETED' END, random() < 0.01,
    (ARRAY['NA','PASS','PASS','PASS','FAULT','ERROR'])[1 + floor(random() * 6)::int],
    tokens, tokens / 3, tokens + tokens / 3, CASE WHEN random() < 0.9 THEN tokens * 0.000001 END,
    CASE WHEN random() < 0.5 THEN (exp(4 + 2 * random()))::int END, (exp(5 + 4 * random()))::int, '{}', at
  FROM (
    SELECT session, 1 + (random() * random() * 40)::int % 40 AS intent, (50 + random() * 1000)::int AS tokens,
      LEAST($2::bigint + 86399999, begins + (random() * 900000)::bigint) AS at
    FROM (
      SELECT gen_random_uuid()::text AS session, $2::bigint + (random() * 86399999)::bigint AS begins,
        CASE WHEN random() < 0.6 THEN 1 ELSE 2 + (random() * 6)::int END AS turns
      FROM generate_series(1, ceil($3::int / 2.4)::int)
    ) sessions, generate_series(1, turns)
    LIMIT $3::int
  ) calls ORDER BY at`;

/** Fills the days before today; the roll-ups are updated by the statements that serve every other write. */
export async function fill(platform: Platform, companyId: number, { requests, days }: Amount): Promise<number> {
  const today = Math.floor(Date.now() / DAY) * DAY;
  const began = performance.now();
  for (let back = days; back >= 1; back--) {
    const starts = today - back * DAY;
    const name = new Date(starts).toISOString().slice(0, 10).replaceAll('-', '');
    await platform.sql.query(PARTITION.replace('requests_DAY', `requests_${name}`).replaceAll('START', String(starts)));
    await platform.sql.query(DAY_OF_TRAFFIC, [companyId, starts, Math.round(requests / days)]);
  }
  for (let more = true; more;) {
    const { rows } = await platform.sql.query<{ more: boolean }>('SELECT traffic.fold_rollups($1) AS more', [
      companyId,
    ]);
    more = rows[0]?.more === true;
  }
  return (performance.now() - began) / 1000;
}

/** Rows of one table. */
export async function rowsIn(platform: Platform, table: string): Promise<number> {
  const { rows } = await platform.sql.query<{ count: string }>(`SELECT count(*) FROM traffic.${table}`);
  return Number(rows[0]?.count);
}
