import type { FaultGroup } from '@signalbox/contracts';
import { composed, type Filter, filterVariants, placedSql, readStatement } from '@signalbox/database';
import type { Direction } from './report-query.js';
import { DAY, REPORTED } from './reported-requests.sql.js';

/** Only the current results; deleted requests count as in analytics. */
const JUDGED = `traffic.evaluation_results r JOIN traffic.requests t ON t.company_id = r.company_id
  AND t.request_id = r.request_id AND t.date_created = r.request_date
  WHERE ${REPORTED} AND r.company_id = s.company AND r.is_current`;
const FAULTS = `${JUDGED} AND r.status = 'FAULT'`;
const FIELDS = `r.id, t.request_id, t.session_id, t.application_id, t.intent_id, r.sentinel_id, r.sentinel_name, r.severity,
  r.description, t.correction_applied, t.date_created`;

const GROUPS: Readonly<Record<FaultGroup, { key: string; label: string; index?: string }>> = {
  sentinel: { key: 'r.sentinel_id::text', label: 'max(r.sentinel_name)' },
  intent: {
    key: 't.intent_id::text',
    label: `(SELECT i.action_type FROM traffic.intents i WHERE i.company_id = s.company AND i.id = t.intent_id)`,
    index: 'intents_pkey',
  },
  application: {
    key: 't.application_id::text',
    label: `(SELECT a.application_name FROM traffic.applications a WHERE a.company_id = s.company AND a.id = t.application_id)`,
    index: 'applications_pkey',
  },
  day: { key: DAY, label: DAY },
};

export const FAULT = {
  filters: {
    start_date: 't.date_created >= ? AND r.request_date >= ?',
    end_date: 't.date_created < ? AND r.request_date < ?',
    application_id: 't.application_id = ?',
    intent_id: 't.intent_id = ?',
    intent_group_id: 't.intent_group_id = ?',
    sentinel_id: 'r.sentinel_id = ?',
    severity: 'r.severity = ?',
    corrected: '(t.correction_applied OR t.corrected_response IS NOT NULL) = ?::boolean',
    search: '(r.sentinel_name ILIKE ? OR r.description ILIKE ?)',
    before: 'r.id < ?::bigint',
  },
};

const FAULT_INDEXES = ['evaluation_results_faults', 'requests_pkey'];
const RESULT_INDEXES = ['evaluation_results_date', 'requests_pkey'];

export const LIST_FAULTS = composed(
  (conditions: readonly Filter[], direction: Direction) =>
    readStatement(
      { index: FAULT_INDEXES },
      `SELECT x.* FROM s, LATERAL (SELECT ${FIELDS}, count(*) OVER ()::bigint AS total FROM ${FAULTS}${placedSql(conditions, 4)}
       ORDER BY r.id ${direction} LIMIT $2::int OFFSET $3::bigint) x ORDER BY x.id ${direction}`,
    ),
  ...filterVariants(FAULT).map((conditions): [readonly Filter[], Direction] => [conditions, 'DESC']),
  [[], 'ASC'],
);

export const NEXT_FAULTS = composed(
  (conditions: readonly Filter[]) =>
    readStatement(
      { index: FAULT_INDEXES },
      `SELECT x.* FROM s, LATERAL (SELECT ${FIELDS} FROM ${FAULTS}${placedSql(conditions, 3)}
       ORDER BY r.id DESC LIMIT $2::int) x ORDER BY x.id DESC`,
    ),
  ...filterVariants(FAULT).map((conditions): [readonly Filter[]] => [conditions]),
);

export const COUNT_FAULTS = composed(
  (conditions: readonly Filter[]) =>
    readStatement(
      { index: FAULT_INDEXES },
      `SELECT x.* FROM s, LATERAL (SELECT count(*)::bigint AS total FROM ${FAULTS}${placedSql(conditions, 2)} OFFSET 0) x`,
    ),
  ...filterVariants(FAULT).map((conditions): [readonly Filter[]] => [conditions]),
);

export const FAULTS_BY_GROUP = composed(
  (group: FaultGroup, conditions: readonly Filter[]) => {
    const { key, label, index } = GROUPS[group];
    const of = group === 'sentinel' ? ', r.sentinel_id' : '';
    return readStatement(
      { index: index === undefined ? RESULT_INDEXES : [...RESULT_INDEXES, index] },
      `SELECT x.* FROM s, LATERAL (
         SELECT f.key, COALESCE(max(f.label), f.key) AS label, count(*) FILTER (WHERE f.fault)::int AS fault_count,
           count(*) FILTER (WHERE f.fault OR (f.pass AND NOT f.error))::int AS evaluated,
           count(*) FILTER (WHERE f.error AND NOT f.fault)::int AS error_count
         FROM (SELECT ${key} AS key, ${label} AS label, bool_or(r.status = 'FAULT') AS fault, bool_or(r.status = 'ERROR') AS error,
             bool_or(r.status = 'PASS') AS pass
           FROM ${JUDGED}${placedSql(conditions, 2)} GROUP BY t.request_id, t.date_created, t.intent_id, t.application_id${of}) f
         WHERE f.key IS NOT NULL GROUP BY f.key OFFSET 0) x`,
    );
  },
  ...filterVariants(FAULT).map((conditions): [FaultGroup, readonly Filter[]] => ['sentinel', conditions]),
  ['intent', []],
  ['application', []],
  ['day', []],
);
