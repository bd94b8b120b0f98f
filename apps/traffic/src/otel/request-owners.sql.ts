import { txStatement } from '@signalbox/database';
import { MAX_AHEAD_MS } from './otlp/read-export.js';

/**
 * Records requests again under the owner that is given, all else as it is: metrics follow deleted and new requests, with
 * their sessions, but not changes of either. Returns under what those that had another one were recorded. A request of a
 * clock ahead of ours is dated when it was recorded, which was before the date that its span has.
 */
export const MOVE_REQUESTS = txStatement(
  { index: 'requests_pkey' },
  `WITH owned AS (SELECT * FROM unnest($2::uuid[], $3::bigint[], $4::int[], $5::int[], $6::text[], $7::text[], $8::text[])
     u(request_id, date_created, application_id, agent_id, session_id, origin_id, release)),
   gone AS (DELETE FROM traffic.requests t USING owned u
     WHERE t.company_id = $1 AND t.request_id = u.request_id AND t.deleted_at IS NULL
       AND t.date_created <= u.date_created AND t.date_created > u.date_created - ${MAX_AHEAD_MS}
       AND (t.application_id, t.agent_id, t.session_id, t.origin_id, t.release)
         IS DISTINCT FROM (u.application_id, u.agent_id, u.session_id, u.origin_id, u.release)
     RETURNING t.application_id, t.model, jsonb_populate_record(t, to_jsonb(u) - 'date_created') AS moved),
   recorded AS (INSERT INTO traffic.requests SELECT (g.moved).* FROM gone g)
   SELECT application_id, model, count(*)::int AS requests FROM gone GROUP BY application_id, model`,
);

/** Requests that are recorded again were counted already; the deletion of one is not counted. */
export const UNCOUNT_ACTIVITY = txStatement(
  { index: 'activity_pkey' },
  `UPDATE traffic.activity t SET request_count = t.request_count - u.requests
   FROM unnest($2::int[], $3::text[], $4::int[]) u(application_id, model, requests)
   WHERE t.company_id = $1 AND t.application_id = u.application_id AND t.intent_id = 0 AND t.model = u.model`,
);
