import { PAYLOAD_REPLY_BYTES } from '@signalbox/contracts';
import { composed, type Filter, filterVariants, placedSql, readStatement } from '@signalbox/database';
import { correctionIn, REQUEST, requestIndexes } from '../../request-records/index.js';

const BYTES = `octet_length(t.params::text) + coalesce(octet_length(t.response::text), 0)
  + coalesce(octet_length(t.corrected_response::text), 0)`;

/** Can become a training row. */
const ANSWERED = `t.deleted_at IS NULL AND t.status = 'COMPLETED'
  AND (t.response IS NOT NULL OR ${correctionIn('t')} IS NOT NULL)`;

export const READ_SOURCES = readStatement(
  { index: 'requests_pkey' },
  `SELECT r.* FROM s, LATERAL (SELECT * FROM (
   SELECT g.n, t.request_id, t.params, t.response, t.corrected_response, t.objects,
     ${BYTES} AS own, sum(${BYTES}) OVER (ORDER BY g.n) - (${BYTES}) AS before, count(*) OVER ()::int AS found
   FROM unnest($2::uuid[]) WITH ORDINALITY g(id, n)
   JOIN traffic.requests t ON t.company_id = s.company AND t.request_id = g.id
   WHERE t.deleted_at IS NULL OFFSET 0) b WHERE b.before < ${PAYLOAD_REPLY_BYTES} ORDER BY b.n) r`,
);

/** A failed request has no answer: nothing is read. */
const { failed: _, ...filters } = REQUEST.filters ?? {};

/** Of one window of serial numbers. */
export const SELECT_ANSWERED = composed(
  (conditions: readonly Filter[]) =>
    readStatement(
      { index: requestIndexes(conditions) },
      `SELECT r.* FROM s, LATERAL (SELECT t.id, t.request_id FROM traffic.requests t
       WHERE t.company_id = s.company AND t.id > $2::bigint AND t.id <= $3::bigint
         AND ${ANSWERED}${placedSql(conditions, 5)}
       ORDER BY t.id DESC LIMIT $4::int OFFSET 0) r`,
    ),
  ...filterVariants({ filters }).map((conditions): [readonly Filter[]] => [conditions]),
);

export const FIND_TAGGED = readStatement(
  { index: 'request_tags_pkey' },
  `SELECT r.* FROM s, LATERAL (SELECT DISTINCT a.request_id FROM traffic.request_tags a
   WHERE a.company_id = s.company AND a.tag_id = ANY ($2::int[]) AND a.request_id = ANY ($3::uuid[]) OFFSET 0) r`,
);
