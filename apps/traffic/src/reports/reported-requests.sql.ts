export const REPORTED = `t.company_id = s.company AND t.request_type IN ('PROD', 'MANUAL')`;

/** UTC. */
export const DAY = `to_char(to_timestamp(t.date_created / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD')`;
