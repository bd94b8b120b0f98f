import { type Filter, readStatement, txStatement, type View } from '@signalbox/database';

const FIELDS = [
  'id',
  'evaluation_request_id',
  'evaluation_id',
  'request_id',
  'session_id',
  'application_id',
  'intent_id',
  'intent_group_id',
  'sentinel_id',
  'sentinel_name',
  'severity',
  'status',
  'failure_class',
  'description',
  'confidence',
  'correction',
  'eval_time_ms',
  'usage',
  'date_created',
];

export const view: View = {
  resource: 'evaluation result',
  table: 'traffic.evaluation_results',
  keyType: 'bigint',
  serial: 't.id',
  alive: 'true',
  columns: FIELDS,
  filters: {
    request_id: 't.request_id = ?',
    status: 't.status = ?',
    sentinel_id: 't.sentinel_id = ?',
    application_id: 't.application_id = ?',
    intent_id: 't.intent_id = ?',
    intent_group_id: 't.intent_group_id = ?',
    severity: 't.severity = ?',
    failure_class: 't.failure_class = ?',
    start_date: 't.date_created >= ?',
    end_date: 't.date_created < ?',
  },
  search: ['t.sentinel_name', 't.description'],
  // Ids ascend in the order of creation.
  sort: { date_created: 't.id', date_updated: 't.id', severity: 't.severity', eval_time_ms: 't.eval_time_ms' },
};

/** For results of a span of dates: those of later dates, whose ids are higher, are not passed over. */
export const byTime: View = {
  ...view,
  sort: { ...view.sort, date_created: 't.date_created', date_updated: 't.date_created' },
};

/** Other filters have indexes in the order of ids. */
const IN_TIME = ['start_date', 'end_date', 'status'].map((name) => view.filters?.[name]);

export const viewOf = (filters: readonly Filter[]): View =>
  filters.every(({ sql }) => IN_TIME.includes(sql)) ? byTime : view;

/** Over the alias `t`. */
export const RESULT_FIELDS = FIELDS.map((name) => `t.${name}`).join(', ');

/** The newest: each batch evaluation of a request adds some. */
export const RESULTS_OF_REQUEST = readStatement(
  { index: 'evaluation_results_request' },
  `SELECT x.* FROM s, LATERAL (SELECT ${RESULT_FIELDS} FROM traffic.evaluation_results t
   WHERE t.company_id = s.company AND t.request_id = $2 ORDER BY t.id DESC LIMIT 1000) x ORDER BY x.id DESC`,
);

export const RESULTS_BY_IDS = txStatement(
  { index: 'evaluation_results_pkey' },
  `SELECT ${RESULT_FIELDS} FROM traffic.evaluation_results t
   WHERE t.company_id = $1 AND t.id = ANY ($2::bigint[]) ORDER BY t.id`,
);

export const RESERVE_RESULT_IDS = readStatement(
  { index: null },
  `SELECT x.* FROM s, LATERAL (SELECT nextval('traffic.evaluation_results_id_seq') AS id
   FROM generate_series(1, $2::int) WHERE s.company IS NOT NULL OFFSET 0) x`,
);
