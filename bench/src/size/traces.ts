import type { Platform } from '@signalbox/testing';
import { fill } from './fill.js';

const DAY = 86_400_000;
const SPANS = 9;

/** Traces of 90 days that were put together long ago. */
const TRACES = `INSERT INTO traffic.otel_traces (company_id, trace_id, record_count, bytes, first_arrival, last_arrival, closed_at)
  SELECT $1, md5(n::text), ${SPANS}, ${SPANS} * 500, at, at, at + 5000
  FROM (SELECT n, $4::bigint + (n::float8 / $5::int * 89 * ${DAY})::bigint AS at FROM generate_series($2::int, $3::int) n) d`;
const RECORDS = `INSERT INTO traffic.otel_records (company_id, trace_id, record_id, signal, received_at, is_recorded, content)
  SELECT $1, md5(n::text), lpad(to_hex(span), 16, '0'), 'span', $4::bigint + (n::float8 / $5::int * 89 * ${DAY})::bigint, true,
    json_build_object('name', 'span ' || span, 'attributes', json_build_array(repeat('an attribute ', 30)))
  FROM generate_series($2::int, $3::int) n, generate_series(1, ${SPANS}) span`;

/** Fills a company with OTLP spans past the service, nine for each trace. */
export async function fillTraces(platform: Platform, companyId: number, spans: number): Promise<void> {
  const count = Math.ceil(spans / SPANS);
  const values = [companyId, Date.now() - 90 * DAY, count];
  await fill(platform, { table: 'traffic.otel_traces', insert: TRACES, count, values });
  await fill(platform, { table: 'traffic.otel_records', insert: RECORDS, count, values });
}
