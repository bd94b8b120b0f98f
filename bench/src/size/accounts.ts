import type { Platform } from '@signalbox/testing';
import { fill } from './fill.js';

const DAY = 86_400_000;
/** Entries are kept 1095 days: the oldest seventh is older. */
const AUDITED_DAYS = 1280;

const AUDIT = `INSERT INTO accounts.audit_log (company_id, message_id, action, resource_type, resource_id, before, after, request_id, date_created)
  SELECT $1, 'filled ' || n, (ARRAY['create', 'update', 'delete'])[1 + n % 3], (ARRAY['agent', 'workflow', 'monitor', 'intent'])[1 + n % 4],
    n % 1000, '{"name":"before"}', '{"name":"after"}', 'filled', $4::bigint + (n::float8 / $5::int * ${AUDITED_DAYS} * ${DAY})::bigint
  FROM generate_series($2::int, $3::int) n`;

/** Without a delivery of what happens meanwhile. */
const WEBHOOK = `INSERT INTO accounts.webhooks (company_id, url, events, enabled, secret, secret_last4)
  SELECT $1, 'https://example.com/hook', '{agent.created}', false, '\\x00', '0000' RETURNING id`;
/** Deliveries of 45 days: the oldest third is older than what is kept. */
const DELIVERED_DAYS = 45;
const DELIVERIES = `INSERT INTO accounts.webhook_deliveries (company_id, webhook_id, event_id, event, status, attempt_count, last_status_code,
    request_body, response_excerpt, duration_ms, date_created, date_updated)
  SELECT $1, $6, md5(n::text)::uuid, 'agent.created', CASE WHEN n % 20 = 0 THEN 'FAILED' ELSE 'SUCCEEDED' END, 1, 200,
    '{"event":"agent.created","data":{"name":"agent ' || n || '"}}', 'ok', 20, at, at + 20
  FROM (SELECT n, $4::bigint + (n::float8 / $5::int * ${DELIVERED_DAYS} * ${DAY})::bigint AS at FROM generate_series($2::int, $3::int) n) d`;

/** Fills a company with entries of its audit log past the service. */
export const fillAudit = (platform: Platform, companyId: number, count: number): Promise<void> =>
  fill(platform, {
    table: 'accounts.audit_log',
    insert: AUDIT,
    count,
    values: [companyId, Date.now() - AUDITED_DAYS * DAY, count],
  });

/** The same with deliveries of one webhook, which is disabled; returns its id. */
export async function fillDeliveries(platform: Platform, companyId: number, count: number): Promise<number> {
  const { rows } = await platform.sql.query<{ id: number }>(WEBHOOK, [companyId]);
  const { id } = rows[0]!;
  const values = [companyId, Date.now() - DELIVERED_DAYS * DAY, count, id];
  await fill(platform, { table: 'accounts.webhook_deliveries', insert: DELIVERIES, count, values });
  return id;
}
