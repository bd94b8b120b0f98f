/** A request `t` that reports count: one of people or agents of the company. */
export const REPORTED = `t.company_id = s.company AND t.request_type IN ('PROD', 'MANUAL')`;

/** The day of a request, UTC. */
export const DAY = `to_char(to_timestamp(t.date_created / 1000) AT TIME ZONE 'UTC', 'YYYY-MM-DD')`;
