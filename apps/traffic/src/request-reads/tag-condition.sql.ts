import { readStatement } from '@signalbox/database';

export const FIRST_SINCE = readStatement(
  { index: 'requests_time' },
  `SELECT x.* FROM s, LATERAL (SELECT min(t.date_created) AS first FROM traffic.requests t
   WHERE t.company_id = s.company AND t.date_created >= $2::bigint OFFSET 0) x`,
);
