import { composed, type Filter, filterVariants, placedSql, readStatement } from '@signalbox/database';
import type { IdRange } from '../../request-reads/index.js';
import { REQUEST, requestIndexes } from '../../request-records/index.js';

export const NOT_SYNTHETIC: Filter = { sql: `t.request_type <> 'SYNTHETIC'`, value: null };

export const within = ({ cursor, upto }: IdRange): Filter[] => [
  { sql: 't.id > ?::bigint', value: cursor },
  { sql: 't.id <= ?::bigint', value: upto },
];

/** Of one window of serial numbers. */
export const EXTENT_OF_FILTER = composed(
  (conditions: readonly Filter[]) =>
    readStatement(
      { index: requestIndexes(conditions) },
      `SELECT x.* FROM s, LATERAL (SELECT count(*)::int AS count, max(t.id) AS upto
       FROM traffic.requests t WHERE t.company_id = s.company AND t.deleted_at IS NULL${placedSql(conditions, 2)} OFFSET 0) x`,
    ),
  ...filterVariants(REQUEST).map((conditions): [readonly Filter[]] => [
    [...conditions, ...within({ cursor: 0, upto: 0 })],
  ]),
);

export const PAGE_OF_FILTER = composed(
  (conditions: readonly Filter[], order: 'ASC' | 'DESC', limit: number) =>
    readStatement(
      { index: requestIndexes(conditions) },
      `SELECT x.* FROM s, LATERAL (SELECT t.id, t.request_id, t.date_created FROM traffic.requests t
       WHERE t.company_id = s.company AND t.deleted_at IS NULL${placedSql(conditions, 2)}
       ORDER BY t.id ${order} LIMIT ${limit}) x ORDER BY x.id ${order}`,
    ),
  ...filterVariants(REQUEST).map((conditions): [readonly Filter[], 'DESC', number] => [conditions, 'DESC', 20]),
  ...filterVariants(REQUEST).map((conditions): [readonly Filter[], 'ASC', number] => [
    [...conditions, NOT_SYNTHETIC, ...within({ cursor: 0, upto: 0 })],
    'ASC',
    20,
  ]),
);
