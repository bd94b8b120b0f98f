import { composed, readStatement } from '@signalbox/database';
import { RESULT_FIELDS } from '../../judging/index.js';

export type ResultOrder = 'id' | 'id DESC' | 'at, id' | 'at DESC, id DESC';

/** A request is dated by its first result. */
export const orderOf = (sort: string): ResultOrder => {
  const isDescending = sort.startsWith('-');
  if (sort.endsWith('id')) return isDescending ? 'id DESC' : 'id';
  return isDescending ? 'at DESC, id DESC' : 'at, id';
};

const STATE = `CASE WHEN bool_or(t.status = 'FAULT') THEN 'FAULT' WHEN bool_or(t.status = 'ERROR') THEN 'ERROR'
  WHEN bool_or(t.status = 'PASS') THEN 'PASS' ELSE 'NA' END`;

export const PAGE_OF_RESULTS = composed(
  (order: ResultOrder) =>
    readStatement(
      { index: 'evaluation_results_run' },
      `SELECT p.page FROM s, LATERAL (
  WITH g AS (
    SELECT t.evaluation_request_id, t.request_id, min(t.id) AS id, min(t.date_created) AS at, ${STATE} AS status
    FROM traffic.evaluation_results t WHERE t.company_id = s.company AND t.evaluation_id = $2
    GROUP BY t.evaluation_request_id, t.request_id
    HAVING ($3::text IS NULL OR ${STATE} = $3) AND ($4::int IS NULL OR bool_or(t.sentinel_id = $4))
      AND ($5::text IS NULL OR bool_or(t.failure_class = $5))
      AND ($6::text IS NULL OR bool_or(t.sentinel_name ILIKE $6 OR t.description ILIKE $6))
  )
  SELECT json_build_object('data', COALESCE((SELECT json_agg(json_build_object(
      'evaluation_request_id', x.evaluation_request_id, 'request_id', x.request_id, 'status', x.status,
      'results', (SELECT json_agg(r ORDER BY r.id) FROM (SELECT ${RESULT_FIELDS} FROM traffic.evaluation_results t
        WHERE t.company_id = s.company AND t.evaluation_id = $2 AND t.request_id = x.request_id
          AND t.evaluation_request_id = x.evaluation_request_id) r)) ORDER BY x.n)
      FROM (SELECT g.*, row_number() OVER (ORDER BY ${order}) AS n FROM g ORDER BY n LIMIT $7::int OFFSET $8::bigint) x), '[]'),
    'pagination', json_build_object('total', (SELECT count(*) FROM g), 'offset', $8::bigint, 'limit', $7::int))::text AS page
  OFFSET 0) p`,
    ),
  ['id'],
  ['id DESC'],
  ['at, id'],
  ['at DESC, id DESC'],
);
