import { readStatement } from '@signalbox/database';

/** Of all requests of a company, deleted or not. */
export const ID_RANGE = readStatement(
  { index: 'requests_newest' },
  `SELECT x.* FROM s, LATERAL (SELECT COALESCE(min(t.id) - 1, 0)::bigint AS cursor, COALESCE(max(t.id), 0)::bigint AS upto
   FROM traffic.requests t WHERE t.company_id = s.company OFFSET 0) x`,
);
