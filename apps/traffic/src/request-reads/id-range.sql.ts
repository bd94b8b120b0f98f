import { composed, readStatement } from '@signalbox/database';
import type { IdOrder } from './id-windows.js';

/** Of all requests of a company, deleted or not. */
export const ID_RANGE = readStatement(
  { index: 'requests_newest' },
  `SELECT x.* FROM s, LATERAL (SELECT COALESCE(min(t.id) - 1, 0)::bigint AS cursor, COALESCE(max(t.id), 0)::bigint AS upto
   FROM traffic.requests t WHERE t.company_id = s.company OFFSET 0) x`,
);

/** The number of the row with which $4 rows are complete, in descending order that of the row behind them. */
export const END_OF_WINDOW = composed(
  (order: IdOrder) =>
    readStatement(
      { index: 'requests_newest' },
      `SELECT x.* FROM s, LATERAL (SELECT t.id FROM traffic.requests t
       WHERE t.company_id = s.company AND t.id > $2::bigint AND t.id <= $3::bigint
       ORDER BY t.id ${order} LIMIT 1 OFFSET $4::int${order === 'ASC' ? ' - 1' : ''}) x`,
    ),
  ['ASC'],
  ['DESC'],
);
