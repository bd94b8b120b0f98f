import type { FallbackGroup } from '@signalbox/contracts';
import { composed, type Filter, filterVariants, placedSql, readStatement } from '@signalbox/database';
import type { Direction } from './report-query.js';
import { DAY, REPORTED } from './reported-requests.sql.js';

/** Requests of earlier releases have no strategy; only the reason of `first_response` implies it. */
const STRATEGY = `COALESCE(t.fallback_strategy, CASE WHEN t.fallback_reason = 'first_response' THEN 'first_response' END)`;
const FIELDS = `t.id, t.request_id, t.primary_model, t.model AS fallback_model, ${STRATEGY} AS strategy, t.fallback_reason,
  t.response_time_ms AS latency_ms, t.date_created`;

const KEYS: Readonly<Record<FallbackGroup, string>> = {
  primary_model: 't.primary_model',
  fallback_model: 't.model',
  reason: 't.fallback_reason',
  day: DAY,
};

/** `before` is a serial number. */
export const FALLBACK = {
  filters: {
    start_date: 't.date_created >= ?',
    end_date: 't.date_created < ?',
    application_id: 't.application_id = ?',
    intent_id: 't.intent_id = ?',
    model: 't.model = ?',
    search: '(t.model ILIKE ? OR t.primary_model ILIKE ?)',
    before: 't.id < ?::bigint',
  },
};

const FALLBACKS = `traffic.requests t WHERE ${REPORTED} AND t.fallback_used`;

export const LIST_FALLBACKS = composed(
  (conditions: readonly Filter[], direction: Direction) =>
    readStatement(
      { index: 'requests_fallbacks' },
      `SELECT x.* FROM s, LATERAL (SELECT ${FIELDS} FROM ${FALLBACKS}${placedSql(conditions, 4)}
       ORDER BY t.id ${direction} LIMIT $2::int OFFSET $3::bigint) x ORDER BY x.id ${direction}`,
    ),
  ...filterVariants(FALLBACK).map((conditions): [readonly Filter[], Direction] => [conditions, 'DESC']),
  [[], 'ASC'],
);

export const COUNT_FALLBACKS = composed(
  (conditions: readonly Filter[]) =>
    readStatement(
      { index: 'requests_fallbacks' },
      `SELECT x.* FROM s, LATERAL (SELECT count(*)::bigint AS total FROM ${FALLBACKS}${placedSql(conditions, 2)} OFFSET 0) x`,
    ),
  ...filterVariants(FALLBACK).map((conditions): [readonly Filter[]] => [conditions]),
);

export const FALLBACKS_BY_GROUP = composed(
  (group: FallbackGroup, conditions: readonly Filter[]) =>
    readStatement(
      { index: 'requests_fallbacks' },
      `SELECT x.* FROM s, LATERAL (SELECT COALESCE(${KEYS[group]}, 'unknown') AS key, count(*)::int AS count
       FROM ${FALLBACKS}${placedSql(conditions, 2)} GROUP BY 1 OFFSET 0) x`,
    ),
  ...filterVariants(FALLBACK).map((conditions): [FallbackGroup, readonly Filter[]] => ['primary_model', conditions]),
  ['fallback_model', []],
  ['reason', []],
  ['day', []],
);
