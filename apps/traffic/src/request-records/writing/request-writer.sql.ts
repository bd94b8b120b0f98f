import { arrayParameter, type ArrayType, txStatement, workerStatement } from '@signalbox/database';
import type { RequestRecord } from '../request-record.js';

const COLUMNS = {
  request_id: 'text',
  application_id: 'int',
  intent_id: 'int',
  intent_group_id: 'int',
  agent_id: 'int',
  session_id: 'text',
  reference_id: 'text',
  request_type: 'text',
  inference_location: 'text',
  model: 'text',
  provider: 'text',
  params: 'json',
  response: 'json',
  status: 'text',
  failure_class: 'text',
  error_message: 'text',
  fallback_used: 'boolean',
  fallback_reason: 'text',
  primary_model: 'text',
  prompt_tokens: 'bigint',
  completion_tokens: 'bigint',
  total_tokens: 'bigint',
  cost: 'double precision',
  first_token_time_ms: 'int',
  response_time_ms: 'int',
  metadata: 'json',
  date_created: 'bigint',
  origin: 'text',
  origin_id: 'text',
  rerun_of: 'text',
  task_id: 'text',
  run_id: 'text',
  answered_usage: 'text',
  fallback_strategy: 'text',
  workflow_id: 'int',
  release: 'text',
  new_messages: 'int',
} as const satisfies Partial<Record<keyof RequestRecord, ArrayType>>;
const NAMES = Object.keys(COLUMNS) as (keyof typeof COLUMNS)[];
/** For spool lines that are older than the column. */
const BEFORE: Partial<RequestRecord> = { inference_location: 'SERVER', fallback_used: false };

/** Converted once per array; converting each row, and for each partition that is searched, costs more. */
const CONVERTED: Partial<Record<keyof typeof COLUMNS, string>> = {
  request_id: 'uuid',
  rerun_of: 'uuid',
  answered_usage: 'jsonb',
};
const arraySql = (name: keyof typeof COLUMNS, at: number): string =>
  `$${at}::${COLUMNS[name]}[]${CONVERTED[name] ? `::${CONVERTED[name]}[]` : ''}`;
const DAY_MS = 86_400_000;
const insertSql = (
  known: string,
): string => `INSERT INTO traffic.requests (company_id, ${NAMES.join(', ')}, evaluation_status)
  SELECT $1::int, u.*
  FROM unnest(${NAMES.map((name, at) => arraySql(name, at + 2)).join(', ')}, $${NAMES.length + 2}::text[])
    u(${NAMES.join(', ')}, evaluation_status) ${known} RETURNING id, request_id`;
export const INSERT = txStatement({ index: null }, insertSql('ON CONFLICT DO NOTHING'));

/**
 * Leaves out records that the company has already; a statement sees what was committed before it began. The ORDER BY
 * leaves the planner only the primary key: its estimate for a new partition makes the index of times look as good, and
 * the plan is kept while that index returns more and more rows. The bound of the time excludes the partitions of coming
 * days when the statement begins.
 */
export const INSERT_UNKNOWN = txStatement(
  { index: 'requests_pkey' },
  insertSql(`WHERE (SELECT k.id FROM traffic.requests k
    WHERE k.company_id = $1 AND k.request_id >= u.request_id AND k.request_id <= u.request_id
      AND k.date_created < (extract(epoch FROM now()) * 1000)::bigint + ${DAY_MS}
    ORDER BY k.company_id, k.request_id LIMIT 1) IS NULL`),
);

/** Missing in rows whose content Postgres rejected. */
export const RESTORED = ['request_id', 'date_created', 'params', 'response', 'metadata', 'error_message'] as const;
export const RESTORE = txStatement(
  { index: 'requests_pkey' },
  `UPDATE traffic.requests t
  SET params = u.params, response = u.response, metadata = u.metadata, error_message = u.error_message
  FROM unnest(${RESTORED.map((name, at) => `$${at + 3}::${COLUMNS[name]}[]`).join(', ')}) u(${RESTORED.join(', ')})
  WHERE t.company_id = $1 AND t.request_id = u.request_id::uuid AND t.date_created = u.date_created
    AND t.error_message = $2 AND t.deleted_at IS NULL`,
);

export const valuesOf = (
  records: readonly RequestRecord[],
  names: readonly (keyof typeof COLUMNS)[] = NAMES,
): unknown[][] =>
  names.map((name) =>
    arrayParameter(
      COLUMNS[name],
      records.map((record) => record[name] ?? BEFORE[name] ?? null),
    ),
  );

/** In one order, so that two batches with common ids do not deadlock. */
export const LOCK_REQUEST_IDS = txStatement(
  { index: null },
  `SELECT pg_advisory_xact_lock(k) FROM
  (SELECT DISTINCT hashtextextended(t, 0) AS k FROM unnest($1::text[]) t ORDER BY 1) turns`,
);

export const MAKE_PARTITIONS = workerStatement({ index: null }, 'SELECT traffic.make_request_partitions($1)');
