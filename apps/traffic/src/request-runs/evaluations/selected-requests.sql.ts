import { composed, readStatement } from '@signalbox/database';

/** Answered requests of people and agents, as analytics count them. */
const SELECTED = `t.company_id = s.company AND t.application_id = $2 AND t.intent_id = $3 AND t.date_created >= $4
  AND t.date_created < $5 AND t.status = 'COMPLETED' AND t.response IS NOT NULL AND t.request_type IN ('PROD', 'MANUAL')
  AND t.deleted_at IS NULL`;
const IN_WINDOW = `${SELECTED} AND t.id > $6::bigint AND t.id <= $7::bigint`;

/** Of one window of serial numbers: the newest $8. */
export const EXTENT_OF_SELECTION = readStatement(
  { index: 'requests_intent' },
  `SELECT x.* FROM s, LATERAL (SELECT count(*)::int AS count, min(f.id) - 1 AS cursor, max(f.id) AS upto,
     COALESCE(sum(f.prompt_tokens), 0)::bigint AS prompt_tokens,
     COALESCE(sum(f.completion_tokens), 0)::bigint AS completion_tokens
   FROM (SELECT t.id, t.prompt_tokens, t.completion_tokens FROM traffic.requests t WHERE ${IN_WINDOW}
     ORDER BY t.id DESC LIMIT $8::int) f OFFSET 0) x`,
);

export const PAGE_OF_SELECTION = composed(
  (limit: number) =>
    readStatement(
      { index: 'requests_intent' },
      `SELECT x.* FROM s, LATERAL (SELECT t.id, t.request_id, t.date_created FROM traffic.requests t
       WHERE ${IN_WINDOW} ORDER BY t.id LIMIT ${limit}) x ORDER BY x.id`,
    ),
  [20],
);
